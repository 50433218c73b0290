import { describe, expect, it } from 'vitest';
import { assertInvariant } from './assert-invariant.ts';
import { isServiceError } from './service-error.ts';

describe('assertInvariant()', () => {
  it('passes if the invariant holds', () => {
    expect(() => assertInvariant(true, 'slots never repeat')).not.toThrow();
  });

  it('names the invariant in an error that is not shown to callers', () => {
    const broken = (): void => assertInvariant(false, 'slots never repeat');
    expect(broken).toThrow('broken invariant: slots never repeat');
    expect(broken).toThrow(expect.not.toSatisfy((error: unknown) => isServiceError(error)));
  });
});
