import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { shredVersion } from './node-version.ts';

describe('shredVersion()', () => {
  // Cases of Agave's own test.
  it.each([
    [[], 1],
    [[0xa5, 0xa5, 0x5a, 0x5a], 0xffff],
    [[0xa5, 0xa5, 0x5a, 0x5a, 0xa5, 0xa5, 0x5a, 0x5a], 1],
    [[0, 0, 0, 7], 8],
    [[1, 2, 4, 8], 0x050b],
  ])('folds %j and zeros to %d', (start, version) => {
    const genesisHash = new Uint8Array(32);
    genesisHash.set(start);
    expect(shredVersion(encodeBase58(genesisHash))).toBe(version);
  });
});
