import type { Ledger } from '../../ledger/ledger.ts';
import type { SlotAges } from '../../ledger/run/lookup-table.ts';

/**
 * Ages in blocks above this one are all the same: a lookup table that was closed so long ago is gone
 * (`SlotHashes`).
 */
const AGES_TOLD_MAX = 513;

/** How old slots are at `slot`, which is the present one or the next. */
export function slotAges(ledger: Ledger, slot: number): SlotAges {
  return {
    slot,
    blocksSince(past) {
      if (past > slot) return slot - past;
      const slots = ledger.slotsWithBlocks(past, slot, AGES_TOLD_MAX + 1);
      return slots[0] === past ? slots.length - 1 : undefined;
    },
  };
}
