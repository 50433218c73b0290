import { describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import { DELEGATION_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { BackOff } from './jobs.ts';

function open() {
  const timer = new HandTime();
  const due: string[] = [];
  return { timer, due, backOff: new BackOff(timer, (address) => due.push(address)) };
}

describe('a back-off', () => {
  it('waits twice as long each time, and a minute at most', async () => {
    const { timer, due, backOff } = open();
    for (const [index, delayMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000].entries()) {
      expect(backOff.hold(USDC_MINT)).toBe(index + 1);
      await timer.pass(delayMs - 1);
      expect(backOff.isHeld(USDC_MINT)).toBe(true);
      await timer.pass(1);
      expect(backOff.isHeld(USDC_MINT)).toBe(false);
      expect(due.length).toBe(index + 1);
    }
  });

  it('starts over after a success', async () => {
    const { timer, due, backOff } = open();
    backOff.hold(USDC_MINT);
    backOff.forget(USDC_MINT);
    expect(backOff.hold(USDC_MINT)).toBe(1);
    await timer.pass(1_000);
    expect(due).toEqual([USDC_MINT]);
  });

  it('runs nothing for an item released early', async () => {
    const { timer, due, backOff } = open();
    backOff.hold(USDC_MINT);
    backOff.hold(DELEGATION_PROGRAM);
    backOff.release(USDC_MINT);
    expect([USDC_MINT, DELEGATION_PROGRAM].map((address) => backOff.isHeld(address))).toEqual([false, true]);
    await timer.pass(60_000);
    expect(due).toEqual([DELEGATION_PROGRAM]);
  });

  it('cancels all retries when it is closed', () => {
    const { timer, backOff } = open();
    backOff.hold(USDC_MINT);
    backOff.close();
    expect(timer.waiting).toBe(0);
  });
});
