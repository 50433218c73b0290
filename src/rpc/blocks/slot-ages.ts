import type { BlockReads } from '../../ledger/ledger.ts';
import type { SlotAges } from '../../ledger/run/lookup-table.ts';

/** Larger ages, in blocks, are equivalent: a lookup table closed that long ago is gone (`SlotHashes`). */
const AGES_TOLD_MAX = 513;

/** Ages of slots as seen from `slot`, the current or the next one. */
export function slotAges(ledger: BlockReads, slot: number): SlotAges {
  return {
    slot,
    blocksSince(past) {
      if (past > slot) return slot - past;
      const slots = ledger.slotsWithBlocks(past, slot, AGES_TOLD_MAX + 1);
      return slots[0] === past ? slots.length - 1 : undefined;
    },
  };
}
