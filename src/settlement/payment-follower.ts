import type { LedgerClient, Rollup, SignatureStatus } from '../chain/chain.ts';
import { FINAL_BLOCKS, ROLLUP_FINAL_BLOCKS } from '../chain/final-blocks.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Timer } from '../ports/timer.ts';
import {
  type CreatedPayment,
  type FinalState,
  NEW_DELIVERY,
  type Payment,
  type PaymentChange,
  type PaymentStore,
} from './payment-store.ts';
import { useStore } from './use-store.ts';

/** A ledger on which payments land. */
export type SettlementLedger = Pick<LedgerClient, 'blockHeight' | 'sendTransaction' | 'signatureStatus'> &
  Pick<Rollup, 'hidesStatuses'>;

/** Dependencies of {@link PaymentFollower}. */
interface FollowerParts {
  readonly payments: PaymentStore;
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

/** Called with each payment that this process has brought to a final state. */
type FinalListener = (payment: Payment) => Promise<void>;

/** The outcome of a payment, and whether it is the first report of its success. */
interface Report {
  readonly payment: Payment;
  readonly isFirst: boolean;
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
 * Age up to which a missing status in a node's history is proof, in ms. By default, nodes keep at least two
 * days of history (Agave `DEFAULT_MAX_LEDGER_SHREDS`).
 */
const HISTORY_MS = 24 * 3_600_000;

/**
 * Stores signed payments, sends them, and determines their outcome. A payment is stored with its exact bytes
 * before it is first sent. An unknown outcome stays pending until the ledger shows that the transaction
 * has landed, or that it can never land.
 */
export class PaymentFollower {
  readonly #parts: FollowerParts;
  readonly #listeners: FinalListener[] = [];
  readonly #counts: Record<FinalState, number> = { settled: 0, failed: 0, expired: 0 };
  #isClosed = false;
  /** Whether the reconciler's last read of the store failed. */
  #isBlind = false;
  #running: Promise<void> = Promise.resolve();
  #cancel = (): void => undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Number of payments without an order that this process has brought to each final state. */
  get counts(): Readonly<Record<FinalState, number>> {
    return this.#counts;
  }

  /** Adds a listener for final payments. */
  onFinal(listener: FinalListener): void {
    this.#listeners.push(listener);
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
   * Stores a signed payment.
   *
   * @throws {ServiceError} SERVICE_BUSY if it cannot be stored. It must then not be sent.
   */
  store(payment: Payment): Promise<CreatedPayment> {
    return this.#stored(() => this.#parts.payments.create(payment, RESERVED_MS));
  }

  /** Sends a payment that this process has stored. Returns when its status may be known. */
  async sendFirst(payment: Payment): Promise<void> {
    // The first read of the status is useful only after the ledger has the transaction.
    await Promise.race([this.#send(payment), this.#pause(POLL_MS_MAX)]);
  }

  /**
   * Waits for the outcome of a stored payment. Returns the payment, possibly still without an outcome.
   *
   * @param gone aborts when the client disconnects.
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be written.
   */
  async outcomeOf(payment: Payment, gone: AbortSignal): Promise<Payment> {
    if (payment.state !== 'signed') return payment;
    const status = await this.#awaitStatus(payment, gone);
    if (status === null) return payment;
    return (await this.#finish(payment, landed(status))) ?? (await this.find(payment.id)) ?? payment;
  }

  /**
   * Waits for the outcome of a stored payment like {@link outcomeOf}, and marks a success as reported, in
   * the same write if possible. `isFirst` is true for the one call that has marked it.
   *
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be written.
   */
  async report(payment: Payment, gone: AbortSignal): Promise<Report> {
    let last = payment;
    if (payment.state === 'signed') {
      const status = await this.#awaitStatus(payment, gone);
      if (status === null) return { payment, isFirst: false };
      const isReleased = status.err === null && !gone.aborted;
      const finished = await this.#finish(payment, { ...landed(status), ...(isReleased && { isReleased }) });
      if (finished !== undefined) return { payment: finished, isFirst: isReleased };
      last = (await this.find(payment.id)) ?? payment;
    }
    if (last.state !== 'settled' || last.isReleased || gone.aborted) return { payment: last, isFirst: false };
    const { payments } = this.#parts;
    const released = await this.#stored(() => payments.advance(last, { isReleased: true }));
    return { payment: released ?? { ...last, isReleased: true }, isFirst: released !== undefined };
  }

  /**
   * Schedules the event about the outcome of a payment as if it had never been sent. Returns undefined if the
   * payment has changed in the meantime.
   *
   * @throws {ServiceError} SERVICE_BUSY if the store cannot be written.
   */
  redeliver(payment: Payment): Promise<Payment | undefined> {
    return this.#stored(() => this.#parts.payments.advance(payment, { delivery: NEW_DELIVERY }));
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

  /** Reads the status of a payment until it has landed, the client disconnects, or the maximum wait ends. */
  async #awaitStatus(payment: Payment, gone: AbortSignal): Promise<SignatureStatus | null> {
    const { clock } = this.#parts;
    const until = clock.now() + WAIT_MS_MAX;
    let pauseMs = POLL_MS;
    while (!gone.aborted && clock.now() < until) {
      const status = await this.#readStatus(payment);
      if (status !== null) return status;
      await this.#pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, POLL_MS_MAX);
    }
    return null;
  }

  /** Returns the status of a payment; null if it is not known yet. */
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
        this.#parts.logger.error(failureFields(error), 'the stored payments cannot be read');
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
   * block that could contain the payment is final, even for the node that searched, and if nodes show
   * statuses and still have the blocks of that time.
   */
  async #search(payment: Payment, ledger: SettlementLedger): Promise<PaymentChange | 'unproven'> {
    const { signature, lastValidBlockHeight, createdMs } = payment;
    const blocks = payment.ledger === 'base' ? FINAL_BLOCKS : ROLLUP_FINAL_BLOCKS;
    const isOver = async (): Promise<boolean> => (await ledger.blockHeight()) > lastValidBlockHeight + blocks;
    const isTooOld = this.#parts.clock.now() - createdMs > HISTORY_MS;
    if (ledger.hidesStatuses === true || isTooOld || !(await isOver())) return 'unproven';
    const status = await ledger.signatureStatus(signature, undefined, { searchHistory: true });
    if (status !== null) return landed(status);
    // Another node, which is behind, may have answered the search.
    return (await isOver()) ? { state: 'expired' } : 'unproven';
  }

  /** Stores a final state. Returns the stored payment; undefined if another request or replica was first. */
  async #finish(payment: Payment, change: PaymentChange): Promise<Payment | undefined> {
    const { payments } = this.#parts;
    const final = { ...change, finishedMs: this.#parts.clock.now() };
    const finished = await this.#stored(() => payments.advance(payment, final));
    if (finished === undefined) return undefined;
    if (finished.state !== 'signed' && finished.order === null) this.#counts[finished.state] += 1;
    for (const listener of this.#listeners) await this.#tell(listener, finished);
    return finished;
  }

  /** Calls a listener. The outcome, and maybe its only report, is already stored, so errors only log. */
  async #tell(listener: FinalListener, payment: Payment): Promise<void> {
    try {
      await listener(payment);
    } catch (error) {
      const facts = { payment: payment.id, ...failureFields(error) };
      this.#parts.logger.error(facts, 'the outcome of a payment could not be recorded');
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.timer.after(ms, resolve));
  }

  #stored<T>(use: () => Promise<T>): Promise<T> {
    return useStore(use, this.#parts.logger);
  }

  #report(error: unknown, { id }: Payment): void {
    const { logger } = this.#parts;
    if (isServiceError(error)) logger.debug({ payment: id, ...failureFields(error) }, 'a payment is open');
    else logger.error({ payment: id, ...failureFields(error) }, 'a payment could not be followed');
  }
}

const landed = ({ slot, err }: SignatureStatus): PaymentChange =>
  err === null ? { state: 'settled', slot } : { state: 'failed', slot, error: JSON.stringify(err) };
