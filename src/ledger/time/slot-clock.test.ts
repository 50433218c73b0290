import { describe, expect, it } from 'vitest';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { SlotClock } from './slot-clock.ts';

describe('SlotClock', () => {
  it('counts slots from wall time, not from how often it is asked', () => {
    const clock = new HandClock(1_000_000);
    const slots = new SlotClock(clock, 512, 400);
    expect(slots.slot).toBe(512);
    clock.pass(399);
    expect(slots.advance()).toBe(false);
    clock.pass(1);
    expect(slots.advance()).toBe(true);
    expect(slots.slot).toBe(513);
    expect(slots.advance()).toBe(false);
    clock.pass(400 * 1_000 + 399);
    slots.advance();
    expect(slots.slot).toBe(1_513);
  });

  it('does not drift: 10,000 uneven steps end where one step would', () => {
    const clock = new HandClock(0);
    const slots = new SlotClock(clock, 0, 50);
    const random = new SeededRandom('steps');
    let total = 0;
    for (let step = 0; step < 10_000; step++) {
      const ms = random.integer(97);
      clock.pass(ms);
      total += ms;
      slots.advance();
    }
    expect(slots.slot).toBe(Math.floor(total / 50));
  });

  it('never goes back, and goes on at once when the clock is set back', () => {
    const clock = new HandClock(1_000_000_000);
    const slots = new SlotClock(clock, 512, 400);
    clock.pass(4_000);
    slots.advance();
    expect(slots.slot).toBe(522);
    const before = slots.unixTimestamp;
    clock.pass(-3_600_000);
    expect(slots.advance()).toBe(false);
    expect(slots.slot).toBe(522);
    clock.pass(800);
    expect(slots.advance()).toBe(true);
    expect(slots.slot).toBe(524);
    expect(slots.unixTimestamp).toBe(before);
  });

  it('gives the time its slot began, in seconds', () => {
    const clock = new HandClock(10_000);
    const slots = new SlotClock(clock, 512, 400);
    expect(slots.unixTimestamp).toBe(10);
    clock.pass(1_199);
    slots.advance();
    expect([slots.slot, slots.unixTimestamp]).toEqual([514, 10]);
    clock.pass(1);
    slots.advance();
    expect([slots.slot, slots.unixTimestamp]).toEqual([515, 11]);
  });
});
