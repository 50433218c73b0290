import type { SlotAges } from '../run/lookup-table.ts';

/** The time of a ledger that never skipped a slot. */
export function slotAges(slot: number): SlotAges {
  return { slot, blocksSince: (past) => slot - past };
}
