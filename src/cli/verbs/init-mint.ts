import { runPayment } from './built-payment.ts';
import type { RunVerb } from './verb-call.ts';

/** `init-mint`: what every deposit of a mint needs first; whoever comes second is refused by the ledger. */
export const runInitMint: RunVerb = (call) =>
  runPayment(call, { operation: 'initializeMint', args: (payer, { mint }) => ({ payer, mint }) });
