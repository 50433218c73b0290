import type { BlockReads } from '../../ledger/ledger.ts';

/** The epoch of a slot. */
export const epochOf = ({ epochSlots }: Pick<BlockReads, 'epochSlots'>, slot: bigint): bigint =>
  slot / BigInt(epochSlots);

/**
 * Whether the leaders of an epoch are known: those of past epochs, of the current one and of the next, whose
 * stakes are fixed one epoch ahead (Agave `leader_schedule_slot_offset`).
 */
export function hasLeaders(ledger: BlockReads, epoch: bigint): boolean {
  return epoch <= epochOf(ledger, BigInt(ledger.head().slot)) + 1n;
}
