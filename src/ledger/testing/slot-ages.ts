import type { SlotAges } from '../run/account-keys.ts';

/** Returns the slot ages of a ledger that never skipped a slot. */
export function slotAges(slot: number): SlotAges {
  return { slot, blocksSince: (past) => slot - past };
}
