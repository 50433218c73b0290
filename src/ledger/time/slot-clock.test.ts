import { describe, expect, it } from 'vitest';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { SlotClock } from './slot-clock.ts';

const START = { slot: 512, unixMs: 1_000_000 };

function start(slotMs = 400): { clock: HandClock; slots: SlotClock; pass: (ms: number) => number } {
  const clock = new HandClock(START.unixMs);
  const slots = new SlotClock(clock, START, slotMs);
  const pass = (ms: number): number => {
    clock.pass(ms);
    slots.advance();
    return slots.slot;
  };
  return { clock, slots, pass };
}

describe('SlotClock', () => {
  it('counts slots from wall time, not from the number of reads', () => {
    const { clock, slots, pass } = start();
    expect(slots.slot).toBe(512);
    clock.pass(399);
    expect(slots.advance()).toBe(false);
    clock.pass(1);
    expect(slots.advance()).toBe(true);
    expect(slots.slot).toBe(513);
    expect(slots.advance()).toBe(false);
    expect(pass(400 * 1_000 + 399)).toBe(1_513);
    expect(slots.anchor).toBe(START);
  });

  it('does not drift: 10,000 uneven steps end where one step would', () => {
    const { slots, pass } = start(50);
    const random = new SeededRandom('steps');
    let total = 0;
    for (let step = 0; step < 10_000; step++) {
      const ms = random.integer(97);
      pass(ms);
      total += ms;
    }
    expect(slots.slot).toBe(512 + Math.floor(total / 50));
  });

  it('never goes back, and continues immediately if the clock is set back', () => {
    const { slots, pass } = start();
    expect(pass(4_000)).toBe(522);
    expect(pass(-3_600_000)).toBe(522);
    expect(slots.anchor).toEqual({ slot: 523, unixMs: START.unixMs + 4_000 - 3_600_000 + 400 });
    expect(pass(399)).toBe(522);
    expect(pass(1)).toBe(523);
    expect(pass(400)).toBe(524);
  });

  it('skips no slots if the clock is set forward by a day, and counts those that really passed (bug: 216,000 at once)', () => {
    let [now, steady] = [START.unixMs, 0];
    const slots = new SlotClock({ now: () => now, steady: () => steady }, START, 400);
    const pass = (ms: number, setMs = 0): number => {
      steady += ms;
      now += ms + setMs;
      slots.advance();
      return slots.slot;
    };
    expect(pass(400 * 1_000)).toBe(1_512);
    expect(pass(0, 86_400_000)).toBe(1_512);
    expect(slots.anchor).toEqual({ slot: 1_513, unixMs: now + 400 });
    expect(pass(400)).toBe(1_513);
    expect(pass(400 * 1_000)).toBe(2_513);
    // As many as a crash may skip pass at once.
    expect(pass(0, 400 * 64)).toBe(2_577);
    expect(pass(0, 400 * 65)).toBe(2_577);
  });

  it('continues after a jump', () => {
    const { slots, pass } = start();
    expect(pass(1_000)).toBe(514);
    slots.travelTo({ slot: 5_000, unixMs: 9e9 });
    expect(slots.slot).toBe(5_000);
    expect(pass(399)).toBe(5_000);
    expect(pass(1)).toBe(5_001);
  });

  it("stops while it is paused, and then finishes the slot's remaining time", () => {
    const { slots, pass } = start();
    expect(pass(1_100)).toBe(514);
    slots.pause();
    slots.pause();
    expect(pass(1e9)).toBe(514);
    slots.resume();
    expect(slots.anchor).toEqual({ slot: 515, unixMs: START.unixMs + 1_100 + 1e9 + 100 });
    expect(pass(99)).toBe(514);
    expect(pass(1)).toBe(515);
    const { anchor } = slots;
    slots.resume();
    expect(slots.anchor).toBe(anchor);
  });

  it('can be paused again before it resumes, moved while it is paused, and set back', () => {
    const { slots, pass } = start();
    pass(300);
    slots.pause();
    pass(50);
    slots.resume();
    expect(pass(60)).toBe(512);
    slots.pause();
    slots.travelTo({ slot: 600, unixMs: 2e9 });
    expect(slots.isPaused).toBe(true);
    expect(pass(-5_000)).toBe(600);
    slots.resume();
    expect(pass(399)).toBe(600);
    expect(pass(1)).toBe(601);
    // The ledger's time is as far ahead of the clock as traveling put it.
    const aheadMs = 2e9 - (START.unixMs + 410);
    expect(slots.anchor).toEqual({ slot: 601, unixMs: START.unixMs + 410 - 5_000 + 400 + aheadMs });
  });
});
