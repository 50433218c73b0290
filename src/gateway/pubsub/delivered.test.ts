import { expect, it } from 'vitest';
import { MEMORY_MS } from '../../chain/upstream/slot-floor.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { Delivered } from './delivered.ts';

function open() {
  const clock = new HandTimer();
  const delivered = new Delivered(clock);
  const take = (subject: string, slot: number, content: string): boolean =>
    delivered.take({ subject, slot, content });
  return { clock, delivered, take };
}

it('accepts the earlier slots of a ledger that was reset, after a while', () => {
  const { clock, delivered, take } = open();
  expect(take('a', 1_000, 'x')).toBe(true);
  clock.pass(MEMORY_MS);
  expect([take('a', 5, 'y'), delivered.slotOf('a')]).toEqual([false, 1_000]);
  clock.pass(1);
  expect([delivered.slotOf('a'), take('a', 5, 'y'), delivered.slotOf('a')]).toEqual([undefined, true, 5]);
});

it('accepts nothing older than a subject that it has forgotten', () => {
  const { delivered, take } = open();
  for (let at = 0; at < 1_500; at++) expect(take(`signature ${at}`, at, 'x')).toBe(true);
  expect([delivered.has('signature 499'), delivered.has('signature 500')]).toEqual([false, true]);
  expect([take('signature 0', 0, 'x'), take('new', 498, 'x')]).toEqual([false, false]);
  expect(take('new', 499, 'x')).toBe(true);
});

it('drops what an earlier connection has delivered in the same slot', () => {
  const { delivered, take } = open();
  expect([take('a', 5, 'x'), take('a', 5, 'y'), take('a', 5, 'x')]).toEqual([true, true, true]);
  delivered.resume();
  expect([take('a', 5, 'y'), take('a', 5, 'z'), take('a', 5, 'x')]).toEqual([false, true, false]);
  expect(take('a', 6, 'x')).toBe(true);
});
