import type { Block } from './block.ts';
import type { History } from './history.ts';
import type { Timeline } from './time/timeline.ts';

/** The block of a slot from `firstSlot` to the present one; null when there is none. */
export function readBlock(
  slot: number,
  firstSlot: number,
  timeline: Timeline,
  history: History,
): Block | null {
  const blockHeight = timeline.heightOf(slot);
  if (blockHeight === undefined || slot > timeline.slot || slot < firstSlot) return null;
  return {
    slot,
    parentSlot: timeline.slotAt(blockHeight - 1),
    blockHeight,
    blockhash: timeline.blockhashAt(blockHeight),
    previousBlockhash: timeline.blockhashAt(blockHeight - 1),
    blockTime: timeline.timeOf(slot),
    transactions: history.of(slot),
  };
}
