import type { LedgerClient, Rollup, SignatureStatus } from '../chain/chain.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { BudgetStore, Spent } from '../payments/fees/budget-store.ts';
import { FINAL_BLOCKS } from '../chain/final-blocks.ts';
import { describeBreaches } from '../policy/judge-spending.ts';
import { SOL, type Spending } from '../policy/spending.ts';
import type { GuardVerdict, Reservation, SpendingGuard } from '../policy/spending-guard.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Timer } from '../ports/timer.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import type { Payment, PaymentChange, PaymentStore } from './payment-store.ts';
import {
  duplicate,
  POLICY_REFUSED,
  refusal,
  type SettleResponse,
  stateOf,
  succeeded,
} from './settle-response.ts';
import type { VerifiedPayment } from './verified-payment.ts';

/** A ledger on which payments land. */
export type SettlementLedger = Pick<LedgerClient, 'blockHeight' | 'sendTransaction' | 'signatureStatus'> &
  Pick<Rollup, 'hidesStatuses'>;

/** Adds the facilitator's signature to a payment. */
interface PaymentSigner {
  /** Returns the signed transaction, and the facilitator's signature in base58. */
  cosign(payment: VerifiedPayment): { readonly wire: Uint8Array; readonly signature: string };
}

/** Dependencies of {@link Settlement}. */
interface SettlementParts {
  readonly payments: PaymentStore;
  readonly budget: BudgetStore;
  /** The limit of the budget, in lamports. */
  readonly lamportsPerHour: bigint;
  readonly signer: PaymentSigner;
  /** The spending policy; null if there is none. */
  readonly policy: SpendingGuard | null;
  /**
   * Returns the ledger of a payment.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED if it is no longer configured.
   */
  readonly ledgerOf: (payment: Pick<Payment, 'cluster' | 'ledger'>) => SettlementLedger;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Maximum wait for an outcome, in ms. A block is confirmed within a second, unless leaders miss turns. */
const WAIT_MS_MAX = 10_000;

/** First and longest pause between two reads of a status, in ms. */
const POLL_MS = 125;
const POLL_MS_MAX = 1_000;

/** Time for which a new payment belongs to the request that created it, in ms. */
const RESERVED_MS = WAIT_MS_MAX + 2_000;

/** Interval of the reconciler, the time until it returns to the same payment, and payments per run. */
const RECONCILE_MS = 1_000;
const LEASE_MS = 5_000;
const LEASED_AT_ONCE = 20;

/**
 * Age up to which a missing status in a node's history counts, in ms. Nodes keep at least two days of history
 * by default (Agave `DEFAULT_MAX_LEDGER_SHREDS`).
 */
const HISTORY_MS = 24 * 3_600_000;

/** Maximum number of spendings that a process remembers. */
const SPENT_MAX = 1_000;

/** The records of a signed payment that its outcome changes. */
interface Cost {
  readonly spent: Spent;
  /** Null without a spending policy. */
  readonly reservation: Reservation | null;
}

/** The final states. */
type FinalState = 'settled' | 'failed' | 'expired';

/**
 * Signs verified payments, sends them, and determines their outcome. A payment is stored with its exact bytes
 * before it is first sent. An unknown outcome stays pending until the ledger shows that the transaction
 * has landed, or that it can never land. The success of a payment is reported to one request only.
 */
export class Settlement {
  readonly #parts: SettlementParts;
  /** Payments that a request is about to sign, by id. */
  readonly #beginning = new Map<string, Promise<Payment | SettleResponse>>();
  /** The costs of payments that this process has signed, by id. */
  readonly #spent = new Map<string, Cost>();
  readonly #counts: Record<FinalState, number> = { settled: 0, failed: 0, expired: 0 };
  #isClosed = false;
  /** Whether the reconciler could not read the store. */
  #isBlind = false;
  #running: Promise<void> = Promise.resolve();
  #cancel = (): void => undefined;

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  /** Number of payments that this process has brought to each final state. */
  get counts(): Readonly<Record<FinalState, number>> {
    return this.#counts;
  }

  /** Starts the reconciler, which follows payments that no request waits for. */
  start(): void {
    if (this.#isClosed) return;
    this.#running = this.#reconcile().finally(() => {
      if (!this.#isClosed) this.#cancel = this.#parts.timer.after(RECONCILE_MS, () => this.start());
    });
  }

  /** Stops the reconciler. Resolves when it is idle. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#running;
  }

  /**
   * Returns the stored payment with this id or identifier.
   *
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be read.
   */
  find(id: string): Promise<Payment | undefined> {
    return this.#stored(() => this.#parts.payments.get(id));
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
    const last = payment.state === 'signed' ? await this.#awaitOutcome(payment, gone) : payment;
    if (last.state !== 'settled' || gone.aborted) return stateOf(last);
    if (last.isReleased) return duplicate(last);
    const released = await this.#stored(() =>
      this.#parts.payments.advance(last.id, last.version, { isReleased: true }),
    );
    return released === undefined ? duplicate(last) : succeeded(released);
  }

  /** Signs, stores and sends a payment, unless its message has been signed before. */
  async #begin(verified: VerifiedPayment): Promise<Payment | SettleResponse> {
    const { payments, budget, lamportsPerHour, signer, clock } = this.#parts;
    const known = await this.find(verified.id);
    if (known?.id === verified.id) return known;
    const reserved = await this.#stored(async () => this.#parts.policy?.reserve(spendingOf(verified)));
    if (reserved !== undefined && reserved.kind !== 'allow') {
      return refusal(verified, POLICY_REFUSED, reasonOf(reserved));
    }
    const reservation = reserved?.reservation ?? null;
    const { lamportsMax, ...facts } = verified;
    const spent = await this.#stored(() =>
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
      createdMs: clock.now(),
    };
    const created = await this.#stored(() => payments.create(signed, RESERVED_MS));
    if (created.kind === 'created') {
      this.#remember(signed.id, { spent, reservation });
      // The first read of the status is useful only after the ledger has the transaction.
      await Promise.race([this.#send(signed), this.#pause(POLL_MS_MAX)]);
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

  /** Sends a stored payment. A failure proves nothing, because the ledger may have accepted it. */
  async #send(payment: Payment): Promise<void> {
    try {
      const ledger = this.#parts.ledgerOf(payment);
      await ledger.sendTransaction(payment.wire, undefined, { skipPreflight: true });
    } catch (error) {
      this.#report(error, payment);
    }
  }

  /** Reads the status of a payment until it has landed, the client disconnects, or the wait is too long. */
  async #awaitOutcome(payment: Payment, gone: AbortSignal): Promise<Payment> {
    const { clock } = this.#parts;
    const until = clock.now() + WAIT_MS_MAX;
    let pauseMs = POLL_MS;
    while (!gone.aborted && clock.now() < until) {
      const status = await this.#readStatus(payment);
      if (status !== null) return await this.#finish(payment, landed(status));
      await this.#pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX);
    }
    return payment;
  }

  /** Returns the status of a payment; null if it is not known now. */
  async #readStatus(payment: Payment): Promise<SignatureStatus | null> {
    try {
      return await this.#parts.ledgerOf(payment).signatureStatus(payment.signature);
    } catch (error) {
      this.#report(error, payment);
      return null;
    }
  }

  /** Follows the payments that are due. */
  async #reconcile(): Promise<void> {
    try {
      const due = await this.#parts.payments.lease(LEASED_AT_ONCE, LEASE_MS);
      await Promise.all(due.map((payment) => this.#follow(payment)));
      this.#isBlind = false;
    } catch (error) {
      // Once per outage, because the reconciler runs every second.
      if (!this.#isBlind) {
        this.#parts.logger.error(failureFields(error), 'the payments of the facilitator cannot be read');
      }
      this.#isBlind = true;
    }
  }

  /** Finishes a payment whose outcome is certain, and sends it again while it can land. */
  async #follow(payment: Payment): Promise<void> {
    const { signature, lastValidBlockHeight } = payment;
    try {
      const ledger = this.#parts.ledgerOf(payment);
      const status = await ledger.signatureStatus(signature);
      if (status !== null) return void (await this.#finish(payment, landed(status)));
      if ((await ledger.blockHeight()) <= lastValidBlockHeight) return await this.#send(payment);
      const found = await this.#search(payment, ledger);
      if (found !== 'unproven') await this.#finish(payment, found);
    } catch (error) {
      this.#report(error, payment);
    }
  }

  /**
   * Searches the ledger for a payment whose blockhash has expired. A missing status is proof only if the last
   * block that could contain it is final, also for the node that searched, and if nodes show statuses and
   * still have the blocks of that time.
   */
  async #search(payment: Payment, ledger: SettlementLedger): Promise<PaymentChange | 'unproven'> {
    const { signature, lastValidBlockHeight, createdMs } = payment;
    const isOver = async (): Promise<boolean> =>
      (await ledger.blockHeight()) > lastValidBlockHeight + FINAL_BLOCKS;
    const isTooOld = this.#parts.clock.now() - createdMs > HISTORY_MS;
    if (ledger.hidesStatuses === true || isTooOld || !(await isOver())) return 'unproven';
    const status = await ledger.signatureStatus(signature, undefined, { searchHistory: true });
    if (status !== null) return landed(status);
    // The search may have been answered by another node, which is behind.
    return (await isOver()) ? { state: 'expired' } : 'unproven';
  }

  /** Stores a final state. Returns the stored payment, which another replica may have finished before. */
  async #finish(payment: Payment, change: PaymentChange): Promise<Payment> {
    const { payments } = this.#parts;
    const { id, version } = payment;
    const finished = await this.#stored(() => payments.advance(id, version, change));
    if (finished === undefined) return (await this.find(id)) ?? payment;
    if (finished.state !== 'signed') this.#counts[finished.state] += 1;
    const cost = this.#spent.get(id);
    this.#spent.delete(id);
    if (cost !== undefined && finished.state !== 'signed') await this.#record(cost, finished.state);
    return finished;
  }

  /** Records the outcome of a payment. One that expired costs nothing. */
  async #record({ spent, reservation }: Cost, state: FinalState): Promise<void> {
    if (state === 'expired') await this.#stored(() => this.#parts.budget.refund(spent));
    await this.#stored(async () => reservation?.settle(state === 'settled' ? 'landed' : state));
  }

  /** Remembers a spending for its outcome. The oldest are forgotten, and count for their hour. */
  #remember(id: string, cost: Cost): void {
    const [oldest] = this.#spent.keys();
    if (oldest !== undefined && this.#spent.size >= SPENT_MAX) this.#spent.delete(oldest);
    this.#spent.set(id, cost);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.timer.after(ms, resolve));
  }

  async #stored<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      this.#parts.logger.error(failureFields(error), 'the store of the facilitator failed');
      throw new ServiceError(
        'SERVICE_BUSY',
        'The payment store is unavailable; try again in a second',
        {},
        { cause: error },
      );
    }
  }

  #report(error: unknown, { id }: Payment): void {
    const { logger } = this.#parts;
    if (isServiceError(error)) logger.debug({ payment: id, ...failureFields(error) }, 'a payment is open');
    else logger.error({ payment: id, ...failureFields(error) }, 'a payment could not be followed');
  }
}

const landed = ({ slot, err }: SignatureStatus): PaymentChange =>
  err === null ? { state: 'settled', slot } : { state: 'failed', slot, error: JSON.stringify(err) };

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
