import { describe, expect, it } from 'vitest';
import { nodeVersion } from './node-version.ts';

/** The grammar of semver.org 2.0.0, which Rust clients hold `apiVersion` to. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

describe('nodeVersion()', () => {
  it('is a semantic version that tells Agave’s and our own', () => {
    expect(nodeVersion('0.1.0')).toBe('4.2.1+spl-private-payments.0.1.0');
    expect(nodeVersion('0.1.0')).toMatch(SEMVER);
    expect(nodeVersion('1.0.0-rc.1')).toMatch(SEMVER);
  });
});
