import type { Clock } from '../ports/clock.ts';
import type { Table, Tables } from '../ports/tables.ts';

/**
 * State of a payment. `signed` means that the transaction may land: it was or will be sent. The other states
 * are final: it landed and succeeded, it landed and failed, or it can never land.
 */
type PaymentState = 'signed' | FinalState;

/** The states of payments with an outcome. */
export type FinalState = 'settled' | 'failed' | 'expired';

/** The merchant's order that a payment pays or refunds. */
export interface OrderLink {
  /** The merchant's wallet, base58. */
  readonly merchant: string;
  readonly orderId: string;
  /** Id of the refund; null if the payment pays the order. */
  readonly refundId: string | null;
}

/** The webhook event that reports the outcome of a payment to its merchant. */
interface Delivery {
  readonly state: 'due' | 'delivered' | 'abandoned';
  /** Attempts so far. */
  readonly attempts: number;
  /** HTTP status of the last response; null if there was none. */
  readonly status: number | null;
  /** Unix time of the last attempt, in ms; null before the first. */
  readonly attemptedMs: number | null;
}

/** The delivery of an event that was never sent. */
export const NEW_DELIVERY: Delivery = { state: 'due', attempts: 0, status: null, attemptedMs: null };

/** A fully signed payment. It is stored before the transaction is first sent. */
export interface Payment {
  /** SHA-256 of the transaction's message, base64url. */
  readonly id: string;
  /**
   * An id that only one payment can have at a time. The payer chooses it (extension `payment-identifier`), or
   * it belongs to an order or a refund and is free again when the payment expires. Null without one.
   */
  readonly identifier: string | null;
  readonly state: PaymentState;
  /** Increases with each change. */
  readonly version: number;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly ledger: 'base' | 'rollup';
  /** The network as the resource server names it. */
  readonly network: string;
  /** The signed transaction. */
  readonly wire: Uint8Array;
  /** The first signature, base58, which is the transaction's own. */
  readonly signature: string;
  /** The last block height at which the transaction can land. */
  readonly lastValidBlockHeight: number;
  /** base58. */
  readonly payer: string;
  readonly payTo: string;
  readonly mint: string;
  /** Base units. */
  readonly amount: bigint;
  /** Slot in which it landed; null if it has not. */
  readonly slot: number | null;
  /** Solana's TransactionError as JSON text if it failed; otherwise null. */
  readonly error: string | null;
  /** Whether a resource server has received the final outcome. */
  readonly isReleased: boolean;
  /** Null if the payment belongs to no order. */
  readonly order: OrderLink | null;
  /** The event about the outcome. Null without an order or an outcome. */
  readonly delivery: Delivery | null;
  /** Unix time, in ms. */
  readonly createdMs: number;
  /** Unix time at which its outcome was stored, in ms; null without one. */
  readonly finishedMs: number | null;
}

/** The members that {@link PaymentStore.advance} can change. */
export type PaymentChange = Partial<
  Pick<Payment, 'state' | 'slot' | 'error' | 'isReleased' | 'delivery' | 'finishedMs'>
>;

/** Result of {@link PaymentStore.create}. */
export type CreatedPayment =
  | { readonly kind: 'created'; readonly payment: Payment }
  /** A payment with this message exists. */
  | { readonly kind: 'same'; readonly payment: Payment }
  /** The identifier belongs to a payment with a different message. */
  | { readonly kind: 'conflict' };

/** Signed payments, shared by all replicas. Methods throw if the store cannot be read or written. */
export interface PaymentStore {
  /** Adds a payment and reserves it like {@link lease}. Resolves when it is durable. */
  create(payment: Payment, leaseMs: number): Promise<CreatedPayment>;
  /** Returns the payment with this id; otherwise the one with this identifier. */
  get(id: string): Promise<Payment | undefined>;
  /**
   * Changes a payment. Returns undefined if its version has changed. The outcome of a payment with an order
   * is stored together with its event, which is due immediately.
   *
   * @param dueMs the time until the next attempt of a delivery that is due, in ms. Default: 0.
   */
  advance(payment: Payment, change: PaymentChange, dueMs?: number): Promise<Payment | undefined>;
  /**
   * Returns signed payments to reconcile, longest wait first, and reserves them, so that other replicas do
   * not return them. A reservation lasts `leaseMs`, or a fraction of the payment's age ({@link AGE_SHARE}) if
   * that is longer.
   */
  lease(limit: number, leaseMs: number): Promise<readonly Payment[]>;
  /** Returns payments with an event that is due, like {@link lease}, and reserves them for `leaseMs`. */
  leaseDeliveries(limit: number, leaseMs: number): Promise<readonly Payment[]>;
  /** Returns the number of signed payments without an order. */
  pendingCount(): Promise<number>;
}

/** Adds the event about the outcome to a change that stores the outcome of an order's payment. */
export const withEvent = (change: PaymentChange, { order, delivery }: Payment): PaymentChange =>
  order !== null && delivery === null && change.state !== undefined
    ? { ...change, delivery: NEW_DELIVERY }
    : change;

/**
 * Time after which a payment with a final state and no order may be deleted, in ms: 30 days. Its transaction
 * can never land again, because the blockhash has expired.
 */
export const PAYMENT_STORED_MS = 30 * 24 * 3_600_000;

/** Minimum reservation of a payment, as a fraction of its age. The outcome of an old one is not urgent. */
export const AGE_SHARE = 1 / 8;

/** Deletions per new payment. More than one, so that deletions keep up. */
const SWEPT_AT_ONCE = 2;

/** A reservation. It ends early if the clock is set back. */
interface Lease {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A {@link PaymentStore} on tables. */
export class TablePaymentStore implements PaymentStore {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #payments: Table<Payment>;
  /** Ids by identifier. */
  readonly #identifiers: Table<string>;
  /** Leases of signed payments by id. */
  readonly #leases: Table<Lease>;
  /** Leases of payments with an event that is due, by id. */
  readonly #deliveries: Table<Lease>;
  /** Ids of payments without an order by time of creation. */
  readonly #order: Table<string>;

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
    this.#payments = tables.open('payments');
    this.#identifiers = tables.open('payment identifiers');
    this.#leases = tables.open('payment leases');
    this.#deliveries = tables.open('payment deliveries');
    this.#order = tables.open('payment order');
  }

  create(payment: Payment, leaseMs: number): Promise<CreatedPayment> {
    return this.#tables.change((): CreatedPayment => {
      const { id, identifier } = payment;
      const same = this.#payments.get(id);
      if (same !== undefined) return { kind: 'same', payment: same };
      const holder = identifier === null ? undefined : this.#identifiers.get(identifier);
      const held = holder === undefined ? undefined : this.#payments.get(holder);
      if (held !== undefined && (held.state !== 'expired' || held.order === null))
        return { kind: 'conflict' };
      this.#sweep();
      this.#payments.put(id, payment);
      if (identifier !== null) this.#identifiers.put(identifier, id);
      this.#leases.put(id, this.#leaseFor(leaseMs, payment));
      if (payment.order === null) this.#order.put(orderOf(payment), id);
      return { kind: 'created', payment };
    });
  }

  async get(id: string): Promise<Payment | undefined> {
    return this.#payments.get(id) ?? this.#payments.get(this.#identifiers.get(id) ?? id);
  }

  advance({ id, version }: Payment, change: PaymentChange, dueMs = 0): Promise<Payment | undefined> {
    return this.#tables.change(() => {
      const payment = this.#payments.get(id);
      if (payment?.version !== version) return undefined;
      const next = { ...payment, ...withEvent(change, payment), version: version + 1 };
      this.#payments.put(id, next);
      if (next.state !== 'signed') this.#leases.remove(id);
      if (next.delivery?.state === 'due') this.#deliveries.put(id, this.#leaseFor(dueMs));
      else this.#deliveries.remove(id);
      return next;
    });
  }

  lease(limit: number, leaseMs: number): Promise<readonly Payment[]> {
    return this.#leaseFrom(this.#leases, limit, (payment) => this.#leaseFor(leaseMs, payment));
  }

  leaseDeliveries(limit: number, leaseMs: number): Promise<readonly Payment[]> {
    return this.#leaseFrom(this.#deliveries, limit, () => this.#leaseFor(leaseMs));
  }

  async #leaseFrom(
    leases: Table<Lease>,
    limit: number,
    leaseOf: (payment: Payment) => Lease,
  ): Promise<readonly Payment[]> {
    // An idle service writes nothing.
    if (this.#due(leases).length === 0) return [];
    return await this.#tables.change(() => {
      const due = this.#due(leases).slice(0, limit);
      const payments = due.flatMap(([id]) => this.#payments.get(id) ?? []);
      for (const payment of payments) leases.put(payment.id, leaseOf(payment));
      return payments;
    });
  }

  async pendingCount(): Promise<number> {
    const ids = this.#leases.entries().map(([id]) => id);
    return ids.filter((id) => this.#payments.get(id)?.order === null).length;
  }

  /** Returns the leases that have ended, the oldest first. */
  #due(leases: Table<Lease>): readonly (readonly [string, Lease])[] {
    const now = this.#clock.now();
    return leases
      .entries()
      .filter(([, { fromMs, untilMs }]) => now < fromMs || untilMs <= now)
      .sort(([, a], [, b]) => a.untilMs - b.untilMs);
  }

  /** Returns a lease of `leaseMs`, or of a fraction of the payment's age if that is longer. */
  #leaseFor(leaseMs: number, payment?: Payment): Lease {
    const now = this.#clock.now();
    const ageMs = payment === undefined ? 0 : now - payment.createdMs;
    return { fromMs: now, untilMs: now + Math.max(leaseMs, ageMs * AGE_SHARE) };
  }

  /** Deletes the oldest payments if they are final and old enough. */
  #sweep(): void {
    for (let swept = 0; swept < SWEPT_AT_ONCE; swept += 1) {
      const [key, id = ''] = this.#order.first() ?? [];
      if (key === undefined || Number.parseInt(key, 10) > this.#clock.now() - PAYMENT_STORED_MS) return;
      this.#order.remove(key);
      const payment = this.#payments.get(id);
      if (payment === undefined) continue;
      // A signed payment stays, and so does its lease.
      if (payment.state === 'signed')
        this.#order.put(orderOf({ ...payment, createdMs: this.#clock.now() }), payment.id);
      else {
        this.#payments.remove(payment.id);
        const { identifier } = payment;
        const isHolder = identifier !== null && this.#identifiers.get(identifier) === id;
        if (isHolder) this.#identifiers.remove(identifier);
      }
    }
  }
}

/** Digits of a Unix time in ms, until the year 33658. */
const TIME_DIGITS = 15;

/** Returns a key that sorts by time. */
const orderOf = ({ createdMs, id }: Pick<Payment, 'createdMs' | 'id'>): string =>
  `${String(createdMs).padStart(TIME_DIGITS, '0')} ${id}`;
