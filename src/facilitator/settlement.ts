import type { BudgetStore, Spent } from '../payments/fees/budget-store.ts';
import { describeBreaches } from '../policy/judge-spending.ts';
import { SOL, type Spending } from '../policy/spending.ts';
import type { GuardVerdict, Reservation, SpendingGuard } from '../policy/spending-guard.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { FinalState, Payment } from '../settlement/payment-store.ts';
import { useStore } from '../settlement/use-store.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import {
  duplicate,
  POLICY_REFUSED,
  refusal,
  type SettleResponse,
  stateOf,
  succeeded,
} from './settle-response.ts';
import type { VerifiedPayment } from './verified-payment.ts';

/** Adds the facilitator's signature to a payment. */
interface PaymentSigner {
  /** Returns the signed transaction, and the facilitator's signature in base58. */
  cosign(payment: VerifiedPayment): { readonly wire: Uint8Array; readonly signature: string };
}

/** Dependencies of {@link Settlement}. */
interface SettlementParts {
  /** Stores, sends and follows the signed payments. */
  readonly follower: PaymentFollower;
  readonly budget: BudgetStore;
  /** The limit of the budget, in lamports. */
  readonly lamportsPerHour: bigint;
  readonly signer: PaymentSigner;
  /** The spending policy; null if there is none. */
  readonly policy: SpendingGuard | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Maximum number of spendings that a process remembers. */
const SPENT_MAX = 1_000;

/** The records of a signed payment that its outcome changes. */
interface Cost {
  /** Null if it costs nothing. */
  readonly spent: Spent | null;
  /** Null without a spending policy. */
  readonly reservation: Reservation | null;
}

/**
 * Signs verified payments within the facilitator's budget and policy, and has them stored, sent and followed.
 * Reports the success of each payment to only one request.
 */
export class Settlement {
  readonly #parts: SettlementParts;
  /** Payments that a request is about to sign, by id. */
  readonly #beginning = new Map<string, Promise<Payment | SettleResponse>>();
  /** The costs of payments that this process has signed, by id. */
  readonly #spent = new Map<string, Cost>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
    parts.follower.onFinal((payment) => this.#recordOutcome(payment));
  }

  /**
   * Returns the stored payment with this id or identifier.
   *
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be read.
   */
  async find(id: string): Promise<Payment | undefined> {
    const payment = await this.#parts.follower.find(id);
    // Only the parties of an order may read its payment.
    return payment?.order ? undefined : payment;
  }

  /**
   * Returns the reason of the spending policy against a payment; null if there is none.
   *
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be read.
   */
  async judge(verified: VerifiedPayment): Promise<string | null> {
    const verdict = await this.#stored(async () => this.#parts.policy?.judge(spendingOf(verified)));
    return verdict === undefined || verdict.kind === 'allow' ? null : reasonOf(verdict);
  }

  /**
   * Settles a verified payment, or joins the settlement of the same message.
   *
   * @param gone aborts when the client has disconnected.
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be read or written.
   */
  async settle(verified: VerifiedPayment, gone: AbortSignal): Promise<SettleResponse> {
    let begun = this.#beginning.get(verified.id);
    if (begun === undefined) {
      begun = this.#begin(verified).finally(() => this.#beginning.delete(verified.id));
      this.#beginning.set(verified.id, begun);
    }
    const payment = await begun;
    return 'success' in payment ? payment : await this.join(payment, gone);
  }

  /**
   * Waits for the outcome of a stored payment, and reports it.
   *
   * @param gone aborts when the client has disconnected.
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be read or written.
   */
  async join(payment: Payment, gone: AbortSignal): Promise<SettleResponse> {
    const { payment: last, isFirst } = await this.#parts.follower.report(payment, gone);
    if (isFirst) return succeeded(last);
    return last.isReleased ? duplicate(last) : stateOf(last);
  }

  /** Signs, stores and sends a payment, unless its message has been signed before. */
  async #begin(verified: VerifiedPayment): Promise<Payment | SettleResponse> {
    const { follower, budget, lamportsPerHour, signer, clock } = this.#parts;
    const known = await this.find(verified.id);
    if (known?.id === verified.id) return known;
    const reserved = await this.#stored(async () => this.#parts.policy?.reserve(spendingOf(verified)));
    if (reserved !== undefined && reserved.kind !== 'allow') {
      return refusal(verified, POLICY_REFUSED, reasonOf(reserved));
    }
    const reservation = reserved?.reservation ?? null;
    const { lamportsMax, ...facts } = verified;
    // Payments on a rollup are free.
    const spent =
      lamportsMax === 0n
        ? null
        : await this.#stored(() =>
            budget.spend({ lamports: lamportsMax, client: verified.payer }, lamportsPerHour),
          );
    if (typeof spent === 'string') {
      await this.#stored(async () => reservation?.settle('expired'));
      const who = spent === 'exhausted' ? 'all payers' : 'this payer';
      return refusal(
        verified,
        'facilitator_budget_exhausted',
        `The facilitator has reached its hourly limit for ${who}. Nothing was signed. Try again later.`,
      );
    }
    const { wire, signature } = signer.cosign(verified);
    const signed: Payment = {
      ...facts,
      state: 'signed',
      version: 0,
      wire,
      signature,
      slot: null,
      error: null,
      isReleased: false,
      order: null,
      delivery: null,
      createdMs: clock.now(),
      finishedMs: null,
    };
    const created = await follower.store(signed);
    if (created.kind === 'created') {
      this.#remember(signed.id, { spent, reservation });
      await follower.sendFirst(signed);
      return signed;
    }
    await this.#record({ spent, reservation }, 'expired');
    if (created.kind === 'same') return created.payment;
    return refusal(
      verified,
      'payment_identifier_conflict',
      'The payment identifier belongs to another payment. Nothing was sent. Choose a new identifier.',
    );
  }

  /** Records the outcome of a payment that this process has signed. */
  async #recordOutcome({ id, state }: Payment): Promise<void> {
    const cost = this.#spent.get(id);
    this.#spent.delete(id);
    if (cost !== undefined && state !== 'signed') await this.#record(cost, state);
  }

  /** Records an outcome. An expired payment costs nothing. */
  async #record({ spent, reservation }: Cost, state: FinalState): Promise<void> {
    if (state === 'expired' && spent !== null) await this.#stored(() => this.#parts.budget.refund(spent));
    await this.#stored(async () => reservation?.settle(state === 'settled' ? 'landed' : state));
  }

  /** Remembers a spending for its outcome. The oldest are forgotten, and count for their hour. */
  #remember(id: string, cost: Cost): void {
    const [oldest] = this.#spent.keys();
    if (oldest !== undefined && this.#spent.size >= SPENT_MAX) this.#spent.delete(oldest);
    this.#spent.set(id, cost);
  }

  #stored<T>(use: () => Promise<T>): Promise<T> {
    return useStore(use, this.#parts.logger);
  }
}

const reasonOf = (verdict: Exclude<GuardVerdict, { readonly kind: 'allow' }>): string =>
  `The spending policy of the facilitator does not allow the payment, so it was not signed. ${describeBreaches(verdict)} Pay what the policy allows, or ask the operator to change ${verdict.breaches.map(ruleOf).join(' and ')}.`;

/** Names a rule, and the code of a caution that `accept` does not list. */
const ruleOf = ({ rule, figure }: { readonly rule: string; readonly figure: string }): string =>
  rule === 'accept' ? `accept (${figure})` : rule;

/** Reads the spending of a payment, which has no other effects. The facilitator pays the network fee. */
function spendingOf({ wire, payTo, mint, amount, lamportsMax }: VerifiedPayment): Spending {
  const { instructions, staticKeys } = decodeTransaction(wire);
  const programs = instructions.map(({ programIdIndex }) => staticKeys[programIdIndex] as string);
  return {
    amounts: new Map(
      lamportsMax > 0n
        ? [
            [mint, amount],
            [SOL, lamportsMax],
          ]
        : [[mint, amount]],
    ),
    isKnown: true,
    recipients: [payTo],
    hidesRecipient: false,
    programs: [...new Set(programs)],
    validators: [],
    findings: [],
  };
}
