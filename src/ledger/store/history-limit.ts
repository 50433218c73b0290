import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';
import type { TimeAnchor } from './store.ts';

/**
 * How many transactions a ledger keeps when nothing else is said; slots are forgotten as a whole, the oldest
 * first.
 */
export const TRANSACTIONS_MAX = 1_000_000;

/**
 * The first slot whose transactions are kept whatever the limit: one with the blockhash of that slot's block
 * could be sent once more at slot `newest`. Slots that were jumped over have no block and do not count.
 */
export function firstSlotOfWindow(newest: number, timeAnchors: readonly TimeAnchor[]): number {
  let slot = newest;
  let blocks = BLOCKHASH_AGE_MAX;
  for (const { slot: anchored, afterSlot } of timeAnchors.toReversed()) {
    if (anchored > slot) continue;
    if (slot - anchored >= blocks) break;
    blocks -= slot - anchored + 1;
    slot = afterSlot;
  }
  return slot - blocks;
}
