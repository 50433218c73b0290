import { ADDRESS_BYTES, addressOf, writeAddress, type Address } from './address.ts';
import { findBump, point, preimage } from './derivation.ts';
import { rememberAddress } from './recent-addresses.ts';

/** A program-derived address: off the curve, so that only its program can sign for it. */
export interface Pda {
  readonly address: Address;
  /** The highest byte that, appended to the seeds, gives an address off the curve. */
  readonly bump: number;
}

/** Up to 32 bytes; an address stands for its own. */
export type Seed = Uint8Array | Address;

/** `solana-address` MAX_SEEDS, of which the bump is one, and MAX_SEED_LEN. */
const SEEDS_MAX = 15;
const SEED_BYTES_MAX = 32;

/**
 * The program-derived address of `seeds` under a program, as `Pubkey::find_program_address` finds it: sha256
 * of seeds, bump, program id and marker, bump counting down from 255.
 *
 * @throws {RangeError} for more than 15 seeds or a seed of more than 32 bytes, and for a program id of
 * other than 32.
 */
export function findPda(seeds: readonly Seed[], programId: Seed): Pda {
  if (seeds.length > SEEDS_MAX) throw new RangeError(`an address has at most ${SEEDS_MAX} seeds`);
  let bumpAt = 0;
  for (const seed of seeds) bumpAt = writeSeed(bumpAt, seed);
  const end = writeSeed(bumpAt + 1, programId);
  if (end !== bumpAt + 1 + ADDRESS_BYTES) throw new RangeError(`a program id has ${ADDRESS_BYTES} bytes`);
  const bump = findBump(bumpAt);
  const address = addressOf(point);
  rememberAddress(address, point);
  return { address, bump };
}

/** Returns the offset after the seed. */
function writeSeed(offset: number, seed: Seed): number {
  if (typeof seed === 'string') {
    writeAddress(preimage, offset, seed);
    return offset + ADDRESS_BYTES;
  }
  if (seed.length > SEED_BYTES_MAX) throw new RangeError(`a seed has at most ${SEED_BYTES_MAX} bytes`);
  preimage.set(seed, offset);
  return offset + seed.length;
}
