import { EPOCH_SLOTS } from '../../ledger/time/sysvars.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** The epoch a slot is in. */
export const epochOf = (slot: bigint): bigint => slot / BigInt(EPOCH_SLOTS);

/**
 * Whether the leaders of an epoch are known: those of the present epoch and of the next, whose stakes are settled one
 * epoch ahead (Agave `leader_schedule_slot_offset`), and of those that are over.
 */
export function hasLeaders(ledger: Ledger, epoch: bigint): boolean {
  return epoch <= epochOf(BigInt(ledger.head().slot)) + 1n;
}
