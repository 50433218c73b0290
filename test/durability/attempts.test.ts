import { describe, expect, it } from 'vitest';
import { Attempts, type Attempt } from './attempts.ts';
import { NO_EFFECT } from './step.ts';

const attempt = (signature: string): Attempt => ({
  kind: 'payment',
  ledger: 'ephemeral',
  signature,
  effect: NO_EFFECT,
  shuttle: null,
  isAcknowledged: false,
});

describe('payment attempts on a stack that is killed', () => {
  it('count a payment with the same bytes once (bug: its units were searched for twice)', () => {
    const attempts = new Attempts();
    const first = attempts.begin(attempt('a'));
    const other = attempts.begin(attempt('b'));
    attempts.begin(attempt('a')).isAcknowledged = true;
    expect(attempts.all()).toEqual([first, other]);
    expect([first.isAcknowledged, other.isAcknowledged]).toEqual([true, false]);
  });
});
