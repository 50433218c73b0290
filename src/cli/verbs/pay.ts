import { amountOf, runPayment } from './built-payment.ts';
import type { RunVerb, VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** `pay TO AMOUNT`: privately and on the rollup, where no flag says otherwise. */
export const runPay: RunVerb = async (call) => {
  const [to, amount] = call.words;
  const fromBalance = sideOf(call, 'from-balance');
  const toBalance = sideOf(call, 'to-balance');
  const memo = call.valueOf('memo');
  return await runPayment(call, {
    operation: 'transfer',
    args: (from, scale) => ({
      from,
      to,
      mint: scale.mint,
      amount: amountOf(call, amount, scale),
      visibility: call.has('public') ? 'public' : 'private',
      fromBalance,
      toBalance,
      ...(memo !== undefined && { memo }),
      ...(call.has('create-account') && creating(fromBalance, toBalance)),
    }),
  });
};

function sideOf(call: VerbCall, flag: 'from-balance' | 'to-balance'): 'base' | 'ephemeral' {
  const text = call.valueOf(flag) ?? 'ephemeral';
  if (text === 'base' || text === 'ephemeral') return text;
  throw unusable(`--${flag} needs base or ephemeral`);
}

/** What makes the recipient's account is another member on each route. */
function creating(from: 'base' | 'ephemeral', to: 'base' | 'ephemeral'): object {
  if (from === 'base') return to === 'base' ? { initRecipientAta: true } : { initIfMissing: true };
  throw unusable('--create-account is for payments from base: on the rollup whoever is paid deposits first');
}
