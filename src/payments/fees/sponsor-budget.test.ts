import { describe, expect, it } from 'vitest';
import { SponsorBudget } from './sponsor-budget.ts';

const MINUTE_MS = 60_000;

function open(lamportsPerHour: bigint) {
  const clock = { ms: 1_795_000_000_000, now: () => clock.ms };
  return { clock, budget: new SponsorBudget(clock, lamportsPerHour) };
}

const refusal = expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE', httpStatus: 503 });

describe('the budget of a sponsor', () => {
  it('is spent to the last lamport, and not beyond', () => {
    const { budget } = open(100n);
    budget.spend(60n);
    expect(() => budget.spend(41n)).toThrow(refusal);
    budget.spend(40n);
    expect(() => budget.spend(1n)).toThrow(refusal);
  });

  it('has an hour later what was spent, and nothing of it before', () => {
    const { clock, budget } = open(100n);
    budget.spend(70n);
    clock.ms += 30 * MINUTE_MS;
    budget.spend(30n);
    clock.ms += 29 * MINUTE_MS;
    expect(() => budget.spend(1n)).toThrow(refusal);
    clock.ms += MINUTE_MS;
    budget.spend(70n);
    expect(() => budget.spend(1n)).toThrow(refusal);
    clock.ms += 30 * MINUTE_MS;
    budget.spend(30n);
  });

  it('gives out nothing more where the clock is set back', () => {
    const { clock, budget } = open(100n);
    budget.spend(100n);
    clock.ms -= 90 * MINUTE_MS;
    expect(() => budget.spend(1n)).toThrow(refusal);
  });
});
