import { describe, expect, it } from 'vitest';
import type { TimeAnchor } from '../store/store.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { BlockCalendar } from './block-calendar.ts';

const first: TimeAnchor = { slot: 512, unixMs: 1_000_000, slotMs: 400, afterSlot: 511 };

describe('a calendar of one stretch', () => {
  const calendar = new BlockCalendar([first]);

  it('has a block in every slot from 0 on, with the slot as its height (bug: the first was that of slot 511)', () => {
    expect(calendar.firstSlot).toBe(0);
    const slots = [0, 1, 511, 512, 10_000];
    expect([-1, ...slots].map((slot) => calendar.heightOf(slot))).toEqual([undefined, ...slots]);
    expect(slots.map((height) => calendar.slotAt(height))).toEqual(slots);
    expect([...calendar.slotsBetween(0, 514)]).toEqual(Array.from({ length: 515 }, (_, slot) => slot));
  });

  it('that starts later has only the block before it', () => {
    const later = new BlockCalendar([{ ...first, slot: 900, afterSlot: 899 }]);
    expect(later.firstSlot).toBe(899);
    expect([0, 898, 899, 900].map((slot) => later.heightOf(slot))).toEqual([undefined, undefined, 899, 900]);
    expect([...later.slotsBetween(0, 901)]).toEqual([899, 900, 901]);
    expect([899, 900].map((slot) => later.timeOf(slot))).toEqual([999, 1_000]);
  });

  it('returns the time a slot began, in seconds', () => {
    const times = [0, 511, 512, 514, 515].map((slot) => calendar.timeOf(slot));
    expect(times).toEqual([795, 999, 1_000, 1_000, 1_001]);
  });
});

describe('a calendar', () => {
  it('counts no blocks for slots that were jumped over', () => {
    const calendar = new BlockCalendar([first, { ...first, slot: 1_000, unixMs: 9_000_000, afterSlot: 520 }]);
    expect([520, 521, 999, 1_000, 1_001].map((slot) => calendar.heightOf(slot))).toEqual([
      520,
      undefined,
      undefined,
      521,
      522,
    ]);
    expect([520, 521, 522].map((height) => calendar.slotAt(height))).toEqual([520, 1_000, 1_001]);
    expect([...calendar.slotsBetween(519, 1_001)]).toEqual([519, 520, 1_000, 1_001]);
    expect([...calendar.slotsBetween(600, 700)]).toEqual([]);
    expect(calendar.timeOf(1_000)).toBe(9_000);
  });

  it('returns the newest block up to a slot, also across skipped slots', () => {
    const calendar = new BlockCalendar([first, { ...first, slot: 1_000, unixMs: 9_000_000, afterSlot: 520 }]);
    const heights = [-1, 0, 511, 520, 521, 999, 1_000, 1_007].map((slot) => calendar.heightUpTo(slot));
    expect(heights).toEqual([-1, 0, 511, 520, 520, 520, 521, 528]);
  });

  it('does not move time back if the clock was set back', () => {
    const calendar = new BlockCalendar([first, { ...first, slot: 523, unixMs: 500_000, afterSlot: 522 }]);
    expect([522, 523, 524].map((slot) => calendar.timeOf(slot))).toEqual([1_004, 1_004, 1_004]);
    // After five hundred and four seconds the clock is back at its old position.
    expect([523 + 1_260, 523 + 1_265].map((slot) => calendar.timeOf(slot))).toEqual([1_004, 1_006]);
  });

  it('skips a stretch that ended before it began', () => {
    const calendar = new BlockCalendar([
      first,
      { ...first, slot: 523, afterSlot: 522 },
      { ...first, slot: 700, afterSlot: 522 },
    ]);
    expect([522, 523, 700].map((slot) => calendar.heightOf(slot))).toEqual([522, undefined, 523]);
    expect(calendar.slotAt(523)).toBe(700);
    expect([...calendar.slotsBetween(521, 701)]).toEqual([521, 522, 700, 701]);
  });

  it('converts slots to heights and back, with times in order, after any history', () => {
    const random = new SeededRandom('calendar');
    const anchors = [first];
    let slot = 512;
    for (let count = 0; count < 200; count++) {
      const afterSlot = slot + random.integer(20);
      slot = afterSlot + 1 + (random.integer(2) === 0 ? 0 : random.integer(1_000));
      anchors.push({ slot, unixMs: random.integer(2 ** 31), slotMs: 400, afterSlot });
    }
    const calendar = new BlockCalendar(anchors);
    const slots = [...calendar.slotsBetween(0, slot)];
    expect(slots.map((each) => calendar.heightOf(each))).toEqual(slots.map((_, index) => index));
    expect(slots.map((_, index) => calendar.slotAt(index))).toEqual(slots);
    const times = slots.map((each) => calendar.timeOf(each));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
