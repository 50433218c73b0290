import { BLOCKHASH_AGE_MAX } from '../time/blockhashes.ts';
import type { TimeAnchor } from './store.ts';

/** Default number of transactions kept. The oldest slots are dropped first, each as a whole. */
export const TRANSACTIONS_MAX = 1_000_000;

/**
 * The first slot whose transactions are kept regardless of the limit: a transaction with its blockhash could
 * be sent again at slot `newest`. Slots skipped by a jump have no block and do not count.
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
