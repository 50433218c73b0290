import {
  AGE_SHARE,
  type CreatedPayment,
  type Payment,
  type PaymentChange,
  type PaymentStore,
  PAYMENT_STORED_MS,
  withEvent,
} from '../../settlement/payment-store.ts';
import type { Database, Sql } from './database.ts';

/** New payments of a process between two deletions of old ones. */
const SWEEP_EVERY = 64;

/** Maximum number of payments that one deletion removes. Deletions run often enough to keep up. */
const SWEPT_AT_ONCE = 256;

/** A payment as JSON. */
type Json = ReturnType<typeof jsonOf>;

interface Row {
  readonly payment: Json;
}

/** A {@link PaymentStore} in PostgreSQL. */
export class PostgresPaymentStore implements PaymentStore {
  readonly #database: Database;
  #createdCount = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(payment: Payment, leaseMs: number): Promise<CreatedPayment> {
    const { id, identifier, state, version, createdMs } = payment;
    const { count } = await this.#database.run(
      (sql) => sql`
        insert into payments (id, identifier, state, version, created_ms, leased_from, leased_until, payment)
        values (
          ${id}, ${identifier}, ${state}, ${version}, ${createdMs},
          state_now(), state_now() + ${leaseMs} * interval '1 ms', ${sql.json(jsonOf(payment))}
        )
        on conflict do nothing`,
    );
    if (count > 0) {
      this.#sweep();
      return { kind: 'created', payment };
    }
    const [row] = await this.#database.run(
      (sql) => sql<Row[]>`select payment from payments where id = ${id}`,
    );
    return row === undefined ? { kind: 'conflict' } : { kind: 'same', payment: paymentOf(row) };
  }

  async get(id: string): Promise<Payment | undefined> {
    const [row] = await this.#database.run(
      (sql) => sql<Row[]>`
        select payment from payments where id = ${id} or identifier = ${id}
        order by id = ${id} desc, state = 'expired', created_ms desc limit 1`,
    );
    return row && paymentOf(row);
  }

  async advance(payment: Payment, change: PaymentChange, dueMs = 0): Promise<Payment | undefined> {
    const { id, version } = payment;
    const next = { ...withEvent(change, payment), version: version + 1 };
    const { state, delivery } = { ...payment, ...next };
    const isDue = delivery?.state === 'due';
    const [row] = await this.#database.run(
      (sql) => sql<Row[]>`
        update payments set
          state = ${state},
          version = ${next.version},
          is_due = ${isDue},
          leased_from = case when ${isDue} then state_now() else leased_from end,
          leased_until = case when ${isDue} then state_now() + ${dueMs} * interval '1 ms' else leased_until end,
          payment = payment || ${sql.json({ ...next, delivery: delivery && { ...delivery } })}
        where id = ${id} and version = ${version}
        returning payment`,
    );
    return row && paymentOf(row);
  }

  lease(limit: number, leaseMs: number): Promise<readonly Payment[]> {
    return this.#lease((sql) => sql`state = 'signed'`, limit, leaseMs, AGE_SHARE);
  }

  leaseDeliveries(limit: number, leaseMs: number): Promise<readonly Payment[]> {
    return this.#lease((sql) => sql`is_due`, limit, leaseMs, 0);
  }

  /** @param ageShare minimum reservation of a payment, as a fraction of its age. */
  async #lease(
    which: (sql: Sql) => ReturnType<Sql>,
    limit: number,
    leaseMs: number,
    ageShare: number,
  ): Promise<readonly Payment[]> {
    const rows = await this.#database.run(
      (sql) => sql<Row[]>`
        with due as (
          select id, leased_until as waiting_since from payments
          where ${which(sql)} and (leased_until <= state_now() or state_now() < leased_from)
          order by leased_until limit ${limit} for update skip locked
        ), leased as (
          update payments
          set
            leased_from = state_now(),
            leased_until = state_now() + interval '1 ms'
              * greatest(${leaseMs}, (extract(epoch from state_now()) * 1000 - created_ms) * ${ageShare})
          from due where payments.id = due.id
          returning payment, waiting_since
        )
        select payment from leased order by waiting_since`,
    );
    return rows.map(paymentOf);
  }

  async pendingCount(): Promise<number> {
    const [row] = await this.#database.run(
      (sql) => sql<[{ count: number }]>`
        select count(*)::int from payments where state = 'signed' and payment->>'order' is null`,
    );
    return row.count;
  }

  /** Deletes old payments in the background. If it fails, a later one deletes them. */
  #sweep(): void {
    this.#createdCount += 1;
    if (this.#createdCount % SWEEP_EVERY !== 1) return;
    const swept = this.#database.run(
      (sql) => sql`
        delete from payments where id in (
          select id from payments
          where state <> 'signed' and payment->>'order' is null
            and created_ms <= extract(epoch from state_now()) * 1000 - ${PAYMENT_STORED_MS}
          order by created_ms limit ${SWEPT_AT_ONCE} for update skip locked
        )`,
    );
    swept.catch(() => undefined);
  }
}

const jsonOf = ({ wire, amount, order, delivery, ...payment }: Payment) => ({
  ...payment,
  wire: Buffer.from(wire).toString('base64'),
  amount: String(amount),
  order: order && { ...order },
  delivery: delivery && { ...delivery },
});

const paymentOf = ({ payment: { wire, amount, ...payment } }: Row): Payment => ({
  ...payment,
  wire: new Uint8Array(Buffer.from(wire, 'base64')),
  amount: BigInt(amount),
});
