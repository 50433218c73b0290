import { runPayment } from './built-payment.ts';
import type { RunVerb } from './verb-call.ts';

/** `init-mint`: what a mint needs once on layout B; a second time is refused (MINT_ALREADY_INITIALIZED). */
export const runInitMint: RunVerb = (call) =>
  runPayment(call, { operation: 'initializeMint', args: (payer, { mint }) => ({ payer, mint }) });
