import { ServiceFailure } from '../parts/service-api.ts';
import type { Order } from './order.ts';

/** A failure in plain words, with what to do next. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  /** The deposit that the buyer must make: a first one, one to add to a balance, or the same one as private. */
  readonly deposit?: 'first' | 'more' | 'again';
}

const AGAIN = 'Review the payment again.';
const FAILED = 'That did not work.';
const OF_MERCHANT = 'Nothing was paid. Only the merchant can fix this, so contact them.';

const TOO_LITTLE: Omit<Failure, 'title'> = {
  text: 'Your balance is probably too small. Nothing was paid. Deposit the missing amount, then review again.',
  deposit: 'more',
};

/** A simulation of the payment failed, so the buyer does not sign it. */
export const WOULD_FAIL: Failure = {
  title: 'This payment would fail, so it is not signed.',
  ...TOO_LITTLE,
};

/** The address of the page does not contain an order or a link. */
export const INCOMPLETE: Failure = {
  title: 'This address does not open a payment.',
  text: 'Part of it is missing or wrong. Open the link from the merchant again.',
};

const WORDS: Readonly<Record<string, Failure>> = {
  PAYMENT_UNAUTHORIZED: INCOMPLETE,
  PAYMENT_LINK_NOT_FOUND: {
    title: 'This payment link does not exist.',
    text: 'Open the link from the merchant again, or ask for a new one.',
  },
  INVALID_PAYMENT_ACCOUNTS: {
    title: 'This is the merchant’s own wallet.',
    text: 'Choose another account in your wallet.',
  },
  PAYMENT_EXPIRED: {
    title: 'The order has expired.',
    text: 'Nothing was paid. Ask the merchant for a new one.',
  },
  TRANSACTION_EXPIRED: { title: 'Signing took too long.', text: `Nothing was paid. ${AGAIN}` },
  TRANSACTION_FAILED: {
    title: 'The payment was not sent, because it would fail.',
    ...TOO_LITTLE,
  },
  INVALID_PAYMENT_TRANSACTION: {
    title: 'Your wallet signed something else.',
    text: 'It may add its own instructions. Nothing was paid. Turn this off in its settings, or use another wallet.',
  },
  PAYMENT_TRANSACTION_CONFLICT: {
    title: 'This order was already signed, maybe on another device.',
    text: 'It cannot be paid twice. This page will show the outcome.',
  },
  RATE_LIMITED: { title: 'Too many requests.', text: `Nothing was paid. Wait a few seconds. ${AGAIN}` },
};

/** Failures because of a wallet's account on the rollup, if the wallet is the buyer's. */
const OF_BUYER: Readonly<Record<string, Failure>> = {
  PAYMENT_ACCOUNTS_NOT_DELEGATED: {
    title: 'Your wallet has no balance of this token on the rollup.',
    text: 'Nothing was paid. Deposit at least the amount due, then review again.',
    deposit: 'first',
  },
  PAYMENT_ACCOUNTS_NOT_PRIVATE: {
    title: 'Your balance on the rollup is public, but this payment must be private.',
    text: 'Nothing was paid. Withdraw it and deposit it again as a private balance.',
    deposit: 'again',
  },
};

/** Describes why a step failed. */
export function failureOf(error: unknown, order: Order | null): Failure {
  if (!(error instanceof ServiceFailure)) return { title: FAILED, text: AGAIN };
  const { code, details, message } = error;
  const owners = Array.isArray(details['owners']) ? details['owners'] : [];
  const own = OF_BUYER[code ?? ''];
  if (own !== undefined && owners.includes(order?.payer)) return own;
  if (own !== undefined) return { title: 'The merchant cannot receive this payment yet.', text: OF_MERCHANT };
  return WORDS[code ?? ''] ?? { title: FAILED, text: `${message} ${AGAIN}` };
}

/** The service did not report the outcome of a signed payment. */
export const UNKNOWN_OUTCOME: Failure = {
  title: 'The service did not answer after you signed.',
  text: 'The payment may have been made. This page keeps checking. You cannot pay this order twice.',
};

/** A signed payment that can no longer land. */
export const LOST: Failure = {
  title: 'The ledger did not accept your payment in time.',
  text: `Nothing was paid. ${AGAIN}`,
};
