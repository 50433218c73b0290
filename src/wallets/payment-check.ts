import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { Explanation } from '../payments/explain/answer/explanation-schema.ts';
import { describeBreaches } from '../policy/judge-spending.ts';
import { readSpending, SOL, type Spending } from '../policy/spending.ts';
import type { GuardVerdict, SpendingGuard, SpendingOutcome } from '../policy/spending-guard.ts';
import type { Address } from '../solana/address.ts';

/** A transaction that wallets of this process are about to sign. */
interface Payment {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly signers: readonly Address[];
  /** The wallet with which a person has logged in for this payment; undefined if no one has. */
  readonly loggedIn: string | undefined;
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
  /** The wallet that can approve payments; undefined if none can. */
  readonly approver: string | undefined;
  /** Explains the bytes for a wallet. */
  readonly explain: (payment: Payment, wallet: Address) => Promise<Explanation>;
}

/** Creates the check of a spending policy. */
export function createPaymentCheck({ guard, approver, explain }: CheckParts): PaymentCheck {
  return async (payment, signAndSend) => {
    const [first, ...others] = await Promise.all(payment.signers.map((signer) => explain(payment, signer)));
    if (first === undefined) return await signAndSend();
    const spending = readSpending(first, ...others);
    const isApproved = approver !== undefined && payment.loggedIn === approver;
    const verdict = await guard.reserve(spending, isApproved);
    if (verdict.kind !== 'allow') throw refusalOf(verdict, describeSpending(spending), approver);
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

/** Describes a payment to the person who may approve it. */
function describeSpending({ amounts, recipients, hidesRecipient }: Spending): string {
  const figures = [...amounts].map(([mint, amount]) =>
    mint === SOL ? `${amount} lamports` : `${amount} base units of ${mint}`,
  );
  const to = [...recipients, ...(hidesRecipient ? ['an encrypted recipient'] : [])];
  return `a payment of ${figures.join(' and ') || 'nothing'}${to.length === 0 ? '' : ` to ${to.join(' and ')}`}`;
}

function refusalOf(
  verdict: Exclude<GuardVerdict, { readonly kind: 'allow' }>,
  payment: string,
  approver: string | undefined,
): ServiceError {
  const [first] = verdict.breaches;
  const fix = verdict.kind === 'ask' ? fixOf(approver) : REFUSED_FIX;
  return new ServiceError(
    'POLICY_REFUSED',
    `The spending policy does not allow this payment, and nothing was signed. ${describeBreaches(verdict)} ${fix}`,
    {
      ...(first && { rule: first.rule, figure: first.figure }),
      ...(first?.left != null && { left: String(first.left) }),
      ...(verdict.kind === 'ask' && approver !== undefined && { approver, payment }),
    },
  );
}

const REFUSED_FIX = 'Pay what the policy allows, or ask the person who wrote it to change it.';

const fixOf = (approver: string | undefined): string =>
  `${approver === undefined ? 'The policy names no approver' : 'This client cannot open the page for the approval'}: set approver or raise askAbove in the policy, or add the caution to accept.`;
