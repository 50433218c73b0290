import { decodeBase58 } from '../../solana/base58.ts';

/** The largest u16. */
const VERSION_MAX = 0xffff;

/**
 * The u16 that distinguishes clusters (`solana-shred-version` `compute_shred_version`, no hard forks): the
 * genesis hash folded into two bytes, big-endian, plus one, so that it is never 0.
 *
 * @param genesisHash base58 of 32 bytes.
 */
export function shredVersion(genesisHash: string): number {
  const folded = decodeBase58(genesisHash).reduce(
    (version, byte, index) => version ^ (index % 2 === 0 ? byte << 8 : byte),
    0,
  );
  return Math.min(folded + 1, VERSION_MAX);
}
