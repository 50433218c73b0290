import { setTimeout as sleep } from 'node:timers/promises';
import { PaymentsError } from '../../client/payments-error.ts';
import type { CheckedOperation } from '../../kit/local-operations.ts';
import { decimalsOf, type MintScale, parseAmount, readScale } from './amount.ts';
import { readSendTo, readTransactionWord } from './explain.ts';
import { withLedgers } from './ledgers.ts';
import { openSigning, reportSent, requireConsent } from './signing.ts';
import type { RunVerb, VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';

interface PaymentOptions {
  readonly operation: CheckedOperation;
  /** Returns the arguments of the operation, including the wallet. */
  readonly args: (wallet: string, scale: MintScale) => Readonly<Record<string, unknown>>;
  /** Runs the payment, possibly with retries. */
  readonly pay?: <T>(pay: () => Promise<T>) => Promise<T>;
}

/** Requests a payment from the service, checks it against the request, signs it, sends it and waits. */
export function runPayment(
  call: VerbCall,
  { operation, args, pay = (once) => once() }: PaymentOptions,
): Promise<VerbExit> {
  requireConsent(call);
  return withLedgers(call, async (ledgers) => {
    const scale = await readScale(call, ledgers.chain);
    const signing = openSigning(call, ledgers, scale);
    const request = args(signing.wallet, scale);
    return await reportSent(call, signing, () => pay(() => signing.checked.pay(operation, request)));
  });
}

/**
 * Parses the amount of a call into base units.
 *
 * @throws {VerbFailure} `config` as in {@link parseAmount}, and if the amount is 0.
 */
export function amountOf(call: VerbCall, text: string | undefined, scale: MintScale): bigint {
  const amount = parseAmount(text ?? '', decimalsOf(call, scale), 'AMOUNT');
  if (amount === 0n) throw unusable('AMOUNT must be more than 0');
  return amount;
}

/** Runs `deposit AMOUNT`. */
export const runDeposit: RunVerb = (call) =>
  runPayment(call, {
    operation: 'deposit',
    args: (owner, scale) => ({ owner, mint: scale.mint, amount: amountOf(call, call.words[0], scale) }),
  });

/** Runs `init-mint`, which sets up a mint on layout B. A second run fails with MINT_ALREADY_INITIALIZED. */
export const runInitMint: RunVerb = (call) =>
  runPayment(call, { operation: 'initializeMint', args: (payer, { mint }) => ({ payer, mint }) });

/** Runs `pay TO AMOUNT`. By default, the payment is private and on the rollup. */
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

/** Returns the argument that creates the recipient's account, which depends on the route. */
function creating(from: 'base' | 'ephemeral', to: 'base' | 'ephemeral'): object {
  if (from === 'base') return to === 'base' ? { initRecipientAta: true } : { initIfMissing: true };
  throw unusable(
    '--create-account is for payments from base. On the rollup the recipient must deposit first',
  );
}

/** Runs `send BASE64 | -`. It explains the transaction and asks before signing, as for payments. */
export async function runSend(call: VerbCall): Promise<VerbExit> {
  requireConsent(call);
  const transactionBase64 = await readTransactionWord(call);
  const sendTo = readSendTo(call);
  return await withLedgers(call, async (ledgers) => {
    const scale = call.has('max-amount') ? await readScale(call, ledgers.chain) : null;
    const signing = openSigning(call, ledgers, scale);
    return await reportSent(call, signing, () => signing.checked.submit(transactionBase64, sendTo));
  });
}

/**
 * Runs `sign BASE64 | -`: explains the transaction, asks for confirmation, signs it, and prints it for
 * someone else to send.
 */
export async function runSign(call: VerbCall): Promise<VerbExit> {
  requireConsent(call);
  const word = await readTransactionWord(call);
  const sendTo = readSendTo(call);
  return await withLedgers(call, async (ledgers) => {
    const scale = call.has('max-amount') ? await readScale(call, ledgers.chain) : null;
    const { checked } = openSigning(call, ledgers, scale);
    const { transactionBase64, explanation } = await checked.sign(word, sendTo);
    call.report({ transactionBase64, tokens: explanation.effects.tokens }, [transactionBase64]);
    return 'done';
  });
}

/** Runs `undelegate`. */
export const runUndelegate: RunVerb = (call) =>
  runPayment(call, { operation: 'undelegate', args: (payer, { mint }) => ({ payer, mint }) });

/** Maximum number of attempts at a withdrawal during a settlement, and the pause between them, in ms. */
const TRIES_MAX = 60;
const PAUSE_MS = 500;

/** Runs `withdraw AMOUNT`. */
export const runWithdraw: RunVerb = (call) =>
  runPayment(call, {
    operation: 'withdraw',
    args: (owner, scale) => ({ owner, mint: scale.mint, amount: amountOf(call, call.words[0], scale) }),
    pay: untilSettled,
  });

/** Retries until the rollup has settled. The service builds nothing before, so nothing is signed twice. */
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
