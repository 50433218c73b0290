import { expect, it } from 'vitest';
import { unreadinessOf } from './ledger-server.ts';

it('a rollup that holds a payment is not ready, and does not say how many', () => {
  const [base, rollup] = [{ isRunning: true }, { isRunning: true, heldIntents: [7n, 9n] }];
  expect(unreadinessOf(base, rollup)).toBe('the rollup holds a payment that may have been made');
  expect(unreadinessOf(base, { ...rollup, heldIntents: [] })).toBeUndefined();
});

it('a ledger that accepts no transactions is not ready, whatever the state of its rollup', () => {
  const stopped = { isRunning: false, heldIntents: [7n] };
  expect(unreadinessOf(stopped)).toBe('the ledger accepts no transactions');
  expect(unreadinessOf({ isRunning: true }, stopped)).toBe('the rollup accepts no transactions');
});
