import { describe, expect, it } from 'vitest';
import { firstSlotOfWindow, type TimeAnchor } from './store.ts';

/** An anchor before which the slots from `afterSlot` on were jumped over. */
function anchor(afterSlot: number, slot: number): TimeAnchor {
  return { slot, afterSlot, unixMs: 0, slotMs: 400 };
}

describe('firstSlotOfWindow', () => {
  it.each<[string, number, TimeAnchor[], number]>([
    ['no anchors', 1_000, [], 850],
    ['an anchor that skips nothing', 1_000, [anchor(899, 900)], 850],
    ['a jump before the window', 1_000, [anchor(10, 849)], 850],
    ['a jump to the first slot of the window', 1_000, [anchor(10, 850)], 850],
    ['a jump to the second slot of the window', 1_000, [anchor(10, 851)], 10],
    ['a jump just now', 1_000, [anchor(500, 1_000)], 351],
    ['two jumps', 1_000, [anchor(100, 200), anchor(259, 950)], 61],
    ['a jump in the future', 1_000, [anchor(1_500, 2_000)], 850],
  ])('is 150 blocks back: %s', (_, newest, anchors, slot) => {
    expect(firstSlotOfWindow(newest, anchors)).toBe(slot);
  });
});
