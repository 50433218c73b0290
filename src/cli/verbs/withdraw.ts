import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentsError } from '../../client/payments-error.ts';
import { amountOf, runPayment } from './built-payment.ts';
import type { RunVerb } from './verb-call.ts';

/** How often a withdrawal that comes before the settlement is asked for anew, and the pause between, ms. */
const TRIES_MAX = 60;
const PAUSE_MS = 500;

/** `withdraw AMOUNT` */
export const runWithdraw: RunVerb = (call) =>
  runPayment(call, {
    operation: 'withdraw',
    args: (owner, scale) => ({ owner, mint: scale.mint, amount: amountOf(call, call.words[0], scale) }),
    pay: untilSettled,
  });

/** While the rollup settles, the service builds nothing: whatever was refused so was not signed. */
async function untilSettled<T>(pay: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await pay();
    } catch (error) {
      const isSettling = error instanceof PaymentsError && error.code === 'EATA_SETTLING';
      if (!isSettling || tried >= TRIES_MAX) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
