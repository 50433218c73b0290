import { describe, expect, it } from 'vitest';
import { HandTime } from '../testing/hand-time.ts';
import { MEMORY_MS, SlotFloor } from './rpc-client.ts';

const SLOT_MS = 400;

function open() {
  const time = new HandTime();
  return { time, floor: new SlotFloor(time, SLOT_MS) };
}

describe('SlotFloor', () => {
  it('compares a commitment with itself and higher ones', () => {
    const { floor } = open();
    floor.raise('confirmed', 1_000);
    expect(floor.at('processed')).toBe(1_000);
    expect(floor.at('confirmed')).toBe(1_000);
    expect(floor.at('finalized')).toBeUndefined();
  });

  it('ignores a slot that the ledger cannot have reached yet', async () => {
    const { floor, time } = open();
    floor.raise('confirmed', 1_000);
    floor.raise('confirmed', 1_151);
    expect(floor.at('confirmed')).toBe(1_000);
    await time.pass(SLOT_MS);
    floor.raise('confirmed', 1_152);
    expect(floor.at('confirmed')).toBe(1_152);
  });

  it('forgets a slot that was not seen again for a minute', async () => {
    const { floor, time } = open();
    floor.raise('confirmed', 1_000);
    await time.pass(MEMORY_MS);
    expect(floor.at('confirmed')).toBe(1_000);
    await time.pass(1);
    expect(floor.at('confirmed')).toBeUndefined();
    floor.raise('confirmed', 7);
    expect(floor.at('confirmed')).toBe(7);
  });
});
