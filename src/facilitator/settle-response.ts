import type { Payment } from '../settlement/payment-store.ts';

/** The answer to `POST /x402/settle` (x402 version 2, `SettleResponse`). */
export interface SettleResponse {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly errorMessage?: string;
  readonly payer?: string;
  /** The transaction's signature, base58; empty if it has none. */
  readonly transaction: string;
  readonly network: string;
  /** Base units. */
  readonly amount?: string;
}

/** The reason for a payment that the spending policy of the facilitator does not allow. */
export const POLICY_REFUSED = 'facilitator_policy_refused';

/** Reports that a payment was not signed. */
export const refusal = (
  { network, payer }: { readonly network: string; readonly payer: string | null },
  errorReason: string,
  errorMessage: string,
): SettleResponse => ({
  success: false,
  errorReason,
  errorMessage,
  ...(payer !== null && { payer }),
  transaction: '',
  network,
});

/** Reports a payment that has settled. */
export const succeeded = ({ signature, network, payer, amount }: Payment): SettleResponse => ({
  success: true,
  payer,
  transaction: signature,
  network,
  amount: String(amount),
});

/** Reports a payment that has settled, and whose success was reported before. */
export const duplicate = (payment: Payment): SettleResponse =>
  without(
    payment,
    'duplicate_settlement',
    'This payment has settled, and its success was reported to an earlier request',
  );

/** Reports a payment without success: it is pending, has failed or has expired. */
export function stateOf(payment: Payment): SettleResponse {
  const { state, error } = payment;
  if (state === 'failed') {
    const message = `The transaction has landed and failed: ${error}. No tokens were moved.`;
    return without(payment, 'invalid_exact_svm_transaction_failed', message);
  }
  if (state === 'expired') {
    const message = 'The transaction has not landed, and its blockhash has expired. Sign a new payment.';
    return without(payment, 'invalid_transaction_state', message);
  }
  return without(
    payment,
    'settlement_pending',
    'The transaction was sent, and its outcome is not known yet. Settle the same payment again.',
  );
}

const without = (
  { signature, network, payer }: Payment,
  errorReason: string,
  errorMessage: string,
): SettleResponse => ({ success: false, errorReason, errorMessage, payer, transaction: signature, network });
