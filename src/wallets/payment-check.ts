import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { Explanation } from '../payments/explain/answer/explanation-schema.ts';
import { describeBreaches } from '../policy/judge-spending.ts';
import { readSpending } from '../policy/spending.ts';
import type { GuardVerdict, SpendingGuard, SpendingOutcome } from '../policy/spending-guard.ts';
import type { Address } from '../solana/address.ts';

/** A transaction that wallets of this process are about to sign. */
interface Payment {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly signers: readonly Address[];
}

/** The outcome that `sendTransaction` reports. */
interface Sent {
  readonly outcome: 'sent' | 'confirmed' | 'expired';
}

/**
 * Explains a payment, reserves its amounts, and calls `signAndSend` if the policy allows it.
 *
 * @throws {ServiceError} POLICY_REFUSED, the errors of `explainTransaction`, and those of `signAndSend`.
 */
export type PaymentCheck = <T extends Sent>(payment: Payment, signAndSend: () => Promise<T>) => Promise<T>;

interface CheckParts {
  readonly guard: SpendingGuard;
  /** Explains the bytes for a wallet. */
  readonly explain: (payment: Payment, wallet: Address) => Promise<Explanation>;
}

/** Creates the check of a spending policy. */
export function createPaymentCheck({ guard, explain }: CheckParts): PaymentCheck {
  return async (payment, signAndSend) => {
    const [first, ...others] = await Promise.all(payment.signers.map((signer) => explain(payment, signer)));
    if (first === undefined) return await signAndSend();
    const verdict = await guard.reserve(readSpending(first, ...others));
    if (verdict.kind !== 'allow') throw refusalOf(verdict);
    const { reservation } = verdict;
    try {
      const sent = await signAndSend();
      if (sent.outcome !== 'sent')
        await reservation.settle(sent.outcome === 'expired' ? 'expired' : 'landed');
      return sent;
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome !== null) await reservation.settle(outcome);
      throw error;
    }
  };
}

/** Returns the outcome that an error of `sendTransaction` proves; null if the payment may still land. */
function outcomeOf(error: unknown): SpendingOutcome | null {
  if (isServiceError(error, 'TRANSACTION_FAILED')) return 'failed';
  return isServiceError(error, 'TRANSACTION_EXPIRED') ? 'expired' : null;
}

function refusalOf(verdict: Exclude<GuardVerdict, { readonly kind: 'allow' }>): ServiceError {
  const [first] = verdict.breaches;
  const fix =
    verdict.kind === 'ask'
      ? 'A person must approve it, but this server cannot ask anyone: raise askAbove in the policy, or add the caution to accept.'
      : 'Pay what the policy allows, or ask the person who wrote it to change it.';
  return new ServiceError(
    'POLICY_REFUSED',
    `The spending policy does not allow this payment, and nothing was signed. ${describeBreaches(verdict)} ${fix}`,
    {
      ...(first && { rule: first.rule, figure: first.figure }),
      ...(first?.left != null && { left: String(first.left) }),
    },
  );
}
