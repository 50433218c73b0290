import { describe, expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

const KNOWN = ['owner', 'amount', 'initIfMissing', 'initAtasIfMissing', 'initVaultIfMissing', 'idempotent'];

describe('findNearestName', () => {
  it.each([
    ['ownr', 'owner'],
    ['Owner', 'owner'],
    ['ammount', 'amount'],
    ['amuont', 'amount'],
    ['initATAsIfMissing', 'initAtasIfMissing'],
    ['initAtaIfMissing', 'initAtasIfMissing'],
    ['init_if_missing', 'initIfMissing'],
    ['impotent', 'idempotent'],
    ['validator', undefined],
    ['x', undefined],
    ['', undefined],
    ['o'.repeat(10_000), undefined],
  ])('%s: %s', (name, nearest) => {
    expect(findNearestName(name, KNOWN)).toBe(nearest);
  });

  it('counts two swapped letters as one edit', () => {
    expect(findNearestName('yse', ['base', 'url', 'yes'])).toBe('yes');
  });

  it('returns the first of two equally near names', () => {
    expect(findNearestName('cat', ['bat', 'hat'])).toBe('bat');
  });
});
