import type { Block } from './block.ts';
import type { History } from './history.ts';
import type { Timeline } from './time/timeline.ts';

/**
 * The block of a slot from `firstSlot` to the present one; null when there is none. That of slot 0 is its own
 * parent, as Agave's blockstore has it.
 */
export function readBlock(
  slot: number,
  firstSlot: number,
  timeline: Timeline,
  history: History,
): Block | null {
  const blockHeight = Number.isInteger(slot) ? timeline.heightOf(slot) : undefined;
  if (blockHeight === undefined || slot > timeline.slot || slot < firstSlot) return null;
  const parentHeight = Math.max(0, blockHeight - 1);
  return {
    slot,
    parentSlot: timeline.slotAt(parentHeight),
    blockHeight,
    blockhash: timeline.blockhashAt(blockHeight),
    previousBlockhash: timeline.blockhashAt(parentHeight),
    blockTime: timeline.timeOf(slot),
    transactions: history.of(slot),
  };
}
