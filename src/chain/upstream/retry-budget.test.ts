import { expect, it } from 'vitest';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { RESERVE_MAX, RetryBudget } from './retry-budget.ts';

/** Takes attempts until none is left, and returns their number. */
function drain(budget: RetryBudget): number {
  let count = 0;
  while (budget.take()) count++;
  return count;
}

it('grants a reserve, then one attempt for ten requests', () => {
  const budget = new RetryBudget(new HandTimer());
  expect(drain(budget)).toBe(RESERVE_MAX);
  for (let asked = 0; asked < 9; asked++) budget.countRequest();
  expect(budget.take()).toBe(false);
  budget.countRequest();
  expect(drain(budget)).toBe(1);
});

it('grants one attempt per second, up to the reserve', () => {
  const clock = new HandTimer();
  const budget = new RetryBudget(clock);
  drain(budget);
  clock.pass(3_000);
  expect(drain(budget)).toBe(3);
  clock.pass(3_600_000);
  expect(drain(budget)).toBe(RESERVE_MAX);
});

it('saves up no more than the reserve', () => {
  const budget = new RetryBudget(new HandTimer());
  for (let asked = 0; asked < 1_000; asked++) budget.countRequest();
  expect(drain(budget)).toBe(RESERVE_MAX);
});
