import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HandTime } from '../testing/hand-time.ts';
import { MEMORY_MS, SlotFloor } from './slot-floor.ts';

const SLOT_MS = 400;
const HONEST = 0;
const LIAR = 1;
const THIRD = 2;
/** How often each is asked: a URL that is behind rests for as long. */
const ROUND_MS = 10_000;
const ROUNDS = MEMORY_MS / ROUND_MS + 2;

function open() {
  const time = new HandTime();
  return { time, floor: new SlotFloor(time, SLOT_MS) };
}

/** A URL says it is at a slot; whether it is believed. */
function ask(floor: SlotFloor, by: number, slot: number): boolean {
  const isBelieved = slot >= (floor.at('confirmed')(by) ?? 0);
  if (isBelieved) floor.raise('confirmed', by, slot);
  else floor.fallBehind('confirmed', by, slot);
  return isBelieved;
}

describe('SlotFloor', () => {
  it('moves no further for a thousand concurrent answers than for one', () => {
    const { floor } = open();
    floor.raise('confirmed', HONEST, 1_000);
    for (let lie = 1; lie <= 1_000; lie++) floor.raise('confirmed', LIAR, 1_000 + 150 * lie);
    expect(floor.at('confirmed')(HONEST)).toBe(1_150);
  });

  it('reports no slot of a URL that another one disputes (bug: other replicas rejected callers for ever)', async () => {
    const { floor, time } = open();
    const lie = 900_000_000;
    let slot = 300_000_000;
    ask(floor, LIAR, lie);
    for (let round = 0; round < ROUNDS; round++) {
      ask(floor, LIAR, lie);
      ask(floor, HONEST, slot);
      await time.pass(ROUND_MS);
      slot += ROUND_MS / SLOT_MS;
    }
    expect(floor.newest('confirmed')).toBeLessThanOrEqual(slot);
    expect(floor.newest('confirmed')).toBeGreaterThan(300_000_000);
  });

  it('accepts a URL again that only one other has excluded, whatever the other reports', async () => {
    const lie = fc.oneof(fc.nat(400), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER));
    const round = fc.array(lie, { maxLength: 5 });
    const rounds = fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS });
    await fc.assert(
      fc.asyncProperty(rounds, fc.boolean(), async (lies, isFirst) => {
        const { floor, time } = open();
        let slot = 300_000_000;
        if (isFirst) ask(floor, HONEST, slot);
        let refusedSince: number | null = null;
        let believed = 0;
        for (const told of lies) {
          for (const ahead of told) {
            ask(
              floor,
              LIAR,
              Math.min(Number.MAX_SAFE_INTEGER, (floor.at('confirmed')(LIAR) ?? slot) + ahead),
            );
          }
          if (ask(floor, HONEST, slot)) {
            refusedSince = null;
            expect(slot).toBeGreaterThanOrEqual(believed);
            believed = slot;
          } else refusedSince ??= time.now();
          expect(time.now() - (refusedSince ?? time.now())).toBeLessThan(MEMORY_MS);
          await time.pass(ROUND_MS);
          slot += (0.9 * ROUND_MS) / SLOT_MS;
          slot = Math.floor(slot);
        }
      }),
    );
  });

  it('never accepts a URL that has stalled, however often it is asked', async () => {
    const { floor, time } = open();
    for (let slot = 1_000; slot < 1_000 + (3 * MEMORY_MS) / SLOT_MS; slot++) {
      ask(floor, HONEST, slot);
      expect(ask(floor, THIRD, 900)).toBe(false);
      await time.pass(SLOT_MS);
    }
  });

  it('never accepts a URL that is behind two others', async () => {
    const { floor, time } = open();
    for (let slot = 1_000; slot < 1_000 + (3 * MEMORY_MS) / SLOT_MS; slot++) {
      ask(floor, HONEST, slot);
      ask(floor, LIAR, slot);
      expect(ask(floor, THIRD, slot - 100)).toBe(false);
      await time.pass(SLOT_MS);
    }
  });

  it('continues to accept a URL whose nodes differ by a slot', async () => {
    const { floor, time } = open();
    let slot = 1_000;
    const round = async (): Promise<boolean> => {
      ask(floor, LIAR, slot + 100);
      const isBelieved = ask(floor, HONEST, slot);
      await time.pass(ROUND_MS);
      slot += ROUND_MS / SLOT_MS;
      return isBelieved;
    };
    while (!(await round())) expect(slot).toBeLessThan(1_000 + (2 * MEMORY_MS) / SLOT_MS);
    expect(ask(floor, HONEST, slot)).toBe(true);
    expect(ask(floor, HONEST, slot - 1)).toBe(false);
    expect(ask(floor, HONEST, slot)).toBe(true);
  });
});
