import { runPayment } from './built-payment.ts';
import type { RunVerb } from './verb-call.ts';

/** `undelegate` */
export const runUndelegate: RunVerb = (call) =>
  runPayment(call, { operation: 'undelegate', args: (payer, { mint }) => ({ payer, mint }) });
