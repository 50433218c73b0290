import type { Clock } from '../ports/clock.ts';
import type { Table, Tables } from '../ports/tables.ts';

/**
 * State of a payment. `signed` means that the transaction may land: it was or will be sent. The other states
 * are final: it landed and succeeded, it landed and failed, or it can never land.
 */
type PaymentState = 'signed' | 'settled' | 'failed' | 'expired';

/** A payment that the facilitator has signed. It is stored before the transaction is first sent. */
export interface Payment {
  /** SHA-256 of the transaction's message, base64url. */
  readonly id: string;
  /** The id that the payer chose (extension `payment-identifier`); null without one. */
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
  /** The facilitator's signature, base58, which is the transaction's own. */
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
  /** Unix time, in ms. */
  readonly createdMs: number;
}

/** The members that {@link PaymentStore.advance} can change. */
export type PaymentChange = Partial<Pick<Payment, 'state' | 'slot' | 'error' | 'isReleased'>>;

/** Result of {@link PaymentStore.create}. */
export type CreatedPayment =
  | { readonly kind: 'created'; readonly payment: Payment }
  /** A payment with this message exists. */
  | { readonly kind: 'same'; readonly payment: Payment }
  /** The identifier belongs to a payment with a different message. */
  | { readonly kind: 'conflict' };

/** Payments of all replicas of a facilitator. Methods throw if the store cannot be read or written. */
export interface PaymentStore {
  /** Adds a payment and reserves it like {@link lease}. Resolves when it is durable. */
  create(payment: Payment, leaseMs: number): Promise<CreatedPayment>;
  /** Returns the payment with this id; otherwise the one with this identifier. */
  get(id: string): Promise<Payment | undefined>;
  /** Changes a payment if `version` is still its version; undefined if not. */
  advance(id: string, version: number, change: PaymentChange): Promise<Payment | undefined>;
  /**
   * Returns signed payments to reconcile, the one that has waited longest first, and reserves them, so that
   * other replicas do not return them: for `leaseMs`, or for a part of their age ({@link AGE_SHARE}) if that
   * is longer.
   */
  lease(limit: number, leaseMs: number): Promise<readonly Payment[]>;
  /** Returns the number of signed payments. */
  pendingCount(): Promise<number>;
}

/**
 * Time after which a payment with a final state may be deleted, in ms: 30 days. Its transaction can never
 * land again, because the blockhash has expired.
 */
export const PAYMENT_STORED_MS = 30 * 24 * 3_600_000;

/** Part of a payment's age for which it is reserved at least. An old one has no urgent outcome. */
export const AGE_SHARE = 1 / 8;

/** Deletions per new payment. More than one, so that deletions keep up. */
const SWEPT_AT_ONCE = 2;

/** A reservation. A clock that was set back ends it. */
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
  /** Ids by time of creation. */
  readonly #order: Table<string>;

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
    this.#payments = tables.open('payments');
    this.#identifiers = tables.open('payment identifiers');
    this.#leases = tables.open('payment leases');
    this.#order = tables.open('payment order');
  }

  create(payment: Payment, leaseMs: number): Promise<CreatedPayment> {
    return this.#tables.change((): CreatedPayment => {
      const { id, identifier } = payment;
      const same = this.#payments.get(id);
      if (same !== undefined) return { kind: 'same', payment: same };
      if (identifier !== null && this.#identifiers.get(identifier) !== undefined) return { kind: 'conflict' };
      this.#sweep();
      this.#payments.put(id, payment);
      if (identifier !== null) this.#identifiers.put(identifier, id);
      this.#leases.put(id, this.#leaseFor(leaseMs, payment));
      this.#order.put(orderOf(payment), id);
      return { kind: 'created', payment };
    });
  }

  async get(id: string): Promise<Payment | undefined> {
    return this.#payments.get(id) ?? this.#payments.get(this.#identifiers.get(id) ?? id);
  }

  advance(id: string, version: number, change: PaymentChange): Promise<Payment | undefined> {
    return this.#tables.change(() => {
      const payment = this.#payments.get(id);
      if (payment?.version !== version) return undefined;
      const next = { ...payment, ...change, version: version + 1 };
      this.#payments.put(id, next);
      if (next.state !== 'signed') this.#leases.remove(id);
      return next;
    });
  }

  async lease(limit: number, leaseMs: number): Promise<readonly Payment[]> {
    // An idle service writes nothing.
    if (this.#due().length === 0) return [];
    return await this.#tables.change(() => {
      const due = this.#due().slice(0, limit);
      const payments = due.flatMap(([id]) => this.#payments.get(id) ?? []);
      for (const payment of payments) this.#leases.put(payment.id, this.#leaseFor(leaseMs, payment));
      return payments;
    });
  }

  async pendingCount(): Promise<number> {
    return this.#leases.entries().length;
  }

  /** Returns the leases that have ended, the oldest first. */
  #due(): readonly (readonly [string, Lease])[] {
    const now = this.#clock.now();
    return this.#leases
      .entries()
      .filter(([, { fromMs, untilMs }]) => now < fromMs || untilMs <= now)
      .sort(([, a], [, b]) => a.untilMs - b.untilMs);
  }

  #leaseFor(leaseMs: number, { createdMs }: Payment): Lease {
    const now = this.#clock.now();
    return { fromMs: now, untilMs: now + Math.max(leaseMs, (now - createdMs) * AGE_SHARE) };
  }

  /** Deletes the oldest payments if they are final and old enough. */
  #sweep(): void {
    for (let swept = 0; swept < SWEPT_AT_ONCE; swept += 1) {
      const [key, id] = this.#order.first() ?? [];
      const payment = id === undefined ? undefined : this.#payments.get(id);
      if (key === undefined || payment === undefined) return;
      if (payment.createdMs > this.#clock.now() - PAYMENT_STORED_MS) return;
      this.#order.remove(key);
      // A signed payment stays, and so does its lease.
      if (payment.state === 'signed')
        this.#order.put(orderOf({ ...payment, createdMs: this.#clock.now() }), payment.id);
      else {
        this.#payments.remove(payment.id);
        if (payment.identifier !== null) this.#identifiers.remove(payment.identifier);
      }
    }
  }
}

/** Digits of a Unix time in ms, until the year 5138. */
const TIME_DIGITS = 15;

/** Returns a key that sorts by time. */
const orderOf = ({ createdMs, id }: Pick<Payment, 'createdMs' | 'id'>): string =>
  `${String(createdMs).padStart(TIME_DIGITS, '0')} ${id}`;
