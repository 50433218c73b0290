import { type Address, addressBytes } from '../solana/address.ts';
import { findPda, type Pda } from '../solana/pda.ts';
import { textSeed, u32 } from './instruction-data.ts';

/** Hydra, the scheduler that continues a swap's private transfer. */
export const HYDRA_PROGRAM = 'Hydra17i1feui9deaxu6d1TzSQMRNHeBRkDR1Awy7zea' as Address;

const CRANK_SEED = textSeed('crank');

/**
 * Derives the crank of a scheduled transfer. Seeds: "crank", and the stash with its first four bytes replaced
 * by shuttleId.
 */
export function deriveHydraCrank(stash: Address, shuttleId: number): Pda {
  const id = addressBytes(stash);
  id.set(u32(shuttleId));
  return findPda([CRANK_SEED, id], addressBytes(HYDRA_PROGRAM));
}
