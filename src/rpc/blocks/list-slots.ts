import type { BlockReads } from '../../ledger/ledger.ts';
import { LongText } from '../../json/long-text.ts';
import { LARGE, type Steps } from '../scan/scan.ts';

/** Slots written per step; a shorter list is written at once. */
const SLOTS_AT_ONCE = 512;

type Blocks = Pick<BlockReads, 'firstSlot' | 'countBlocks' | 'slotsWithBlocks'>;

/**
 * The JSON list of up to `limit` slots from `Ledger.slotsWithBlocks`, as of now. `to` must be a finished
 * slot.
 */
export function* listSlots(ledger: Blocks, from: number, to: number, limit: number): Steps<LongText> {
  const first = Math.max(from, ledger.firstSlot());
  const last = Math.min(to, first + limit - 1);
  if (last - first >= SLOTS_AT_ONCE) yield LARGE;
  // Collecting hundreds of thousands of slots is slow. Without time travel every slot has a block, and
  // nothing has to be collected.
  const isGapless = last >= first && ledger.countBlocks(first, last) === last - first + 1;
  const slots = isGapless ? null : ledger.slotsWithBlocks(from, to, limit);
  const list = new LongText().append('[');
  const count = slots?.length ?? last - first + 1;
  for (let at = 0; at < count; at += SLOTS_AT_ONCE) {
    const size = Math.min(SLOTS_AT_ONCE, count - at);
    const piece =
      slots?.slice(at, at + size) ?? Array.from({ length: size }, (_, index) => first + at + index);
    const before = list.length;
    list.append(`${at === 0 ? '' : ','}${piece.join(',')}`);
    yield list.length - before;
  }
  return list.append(']');
}
