import { describe, expect, it } from 'vitest';
import { emptyGenesis, openTestLedger } from '../ledger/testing/test-ledger.ts';
import type { Address } from '../solana/address.ts';
import { featureSetOf, nodeVersion } from './cluster/node-version.ts';

/** The grammar of semver.org 2.0.0, which Rust clients hold `apiVersion` to. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

describe('nodeVersion()', () => {
  it('is a semantic version with Agave’s version and that of this node', () => {
    expect(nodeVersion('0.1.0')).toBe('4.2.1+spl-private-payments.0.1.0');
    expect(nodeVersion('0.1.0')).toMatch(SEMVER);
    expect(nodeVersion('1.0.0-rc.1')).toMatch(SEMVER);
  });
});

describe('featureSetOf()', () => {
  const withFeatures = (...features: string[]): number =>
    featureSetOf({ programAccounts: () => features.map((address) => [address as Address, {} as never]) });
  const [one, two] = ['Vote111111111111111111111111111111111111111', '11111111111111111111111111111111'];

  it('is the first four bytes of the hash of all ids, in any order', () => {
    // sha256 of nothing begins with e3 b0 c4 42.
    expect(withFeatures()).toBe(0x42c4b0e3);
    expect(withFeatures(one, two)).toBe(withFeatures(two, one));
    expect(withFeatures(one)).not.toBe(withFeatures(two));
  });

  it('is the same number for every ledger of this engine, and not 0 (bug: it was)', async () => {
    const sets = await Promise.all(
      [1, 2].map(async () => featureSetOf((await openTestLedger({ genesis: emptyGenesis })).ledger)),
    );
    expect(sets[0]).toBe(sets[1]);
    expect([0, withFeatures()]).not.toContain(sets[0]);
  });
});
