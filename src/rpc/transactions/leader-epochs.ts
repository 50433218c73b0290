import type { Ledger } from '../../ledger/ledger.ts';

/** The epoch a slot is in. */
export const epochOf = ({ epochSlots }: Pick<Ledger, 'epochSlots'>, slot: bigint): bigint =>
  slot / BigInt(epochSlots);

/**
 * Whether the leaders of an epoch are known: those of the present epoch and of the next, whose stakes are
 * settled one epoch ahead (Agave `leader_schedule_slot_offset`), and of those that are over.
 */
export function hasLeaders(ledger: Ledger, epoch: bigint): boolean {
  return epoch <= epochOf(ledger, BigInt(ledger.head().slot)) + 1n;
}
