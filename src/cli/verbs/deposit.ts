import { amountOf, runPayment } from './built-payment.ts';
import type { RunVerb } from './verb-call.ts';

/** `deposit AMOUNT` */
export const runDeposit: RunVerb = (call) =>
  runPayment(call, {
    operation: 'deposit',
    args: (owner, scale) => ({ owner, mint: scale.mint, amount: amountOf(call, call.words[0], scale) }),
  });
