import type { Ledger } from '../../ledger/ledger.ts';
import { LongText } from '../../json/long-text.ts';
import { LARGE, type Steps } from '../scan/scan.ts';

/** Slots that are written in one step; a list of no more is made in one go. */
const SLOTS_AT_ONCE = 512;

/** The JSON list of the up to `limit` slots that `Ledger.slotsWithBlocks` has, as of now. */
export function* listSlots(
  ledger: Pick<Ledger, 'slotsWithBlocks'>,
  from: number,
  to: number,
  limit: number,
): Steps<LongText> {
  if (Math.min(limit, to - from + 1) > SLOTS_AT_ONCE) yield LARGE;
  const slots = ledger.slotsWithBlocks(from, to, limit);
  const list = new LongText().append('[');
  for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
    const before = list.length;
    list.append(`${at === 0 ? '' : ','}${slots.slice(at, at + SLOTS_AT_ONCE).join(',')}`);
    yield list.length - before;
  }
  return list.append(']');
}
