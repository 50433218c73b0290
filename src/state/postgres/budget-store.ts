import {
  type BudgetStore,
  checkSpending,
  HOUR_MINUTES,
  type Spending,
  type SpendingVerdict,
  type Spent,
} from '../../payments/fees/budget-store.ts';
import type { Database, Transaction } from './database.ts';

/** Id of the advisory lock of spending: the first bytes of "spend". */
const LOCK = 0x7370656e;

/** Lamports of the last hour. `numeric` is read as text. */
interface Row {
  readonly minute: string;
  readonly total: string;
  readonly own: string;
}

/** A {@link BudgetStore} in PostgreSQL. */
export class PostgresBudgetStore implements BudgetStore {
  readonly #database: Database;
  readonly #name: string;

  /** @param name name of the budget. */
  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  spend(spending: Spending, limit: bigint): Promise<SpendingVerdict> {
    const { client, lamports } = spending;
    return this.#database.transact(async (sql) => {
      await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${this.#name}))`;
      const { minute, total, own } = await this.#read(sql, client);
      const verdict = checkSpending(spending, { all: BigInt(total), client: BigInt(own) }, limit);
      if (verdict !== 'fits') return verdict;
      await sql`delete from spending where budget = ${this.#name} and minute <= ${Number(minute) - HOUR_MINUTES}`;
      await sql`
        insert into spending as row (budget, minute, client, lamports)
        values (${this.#name}, ${minute}, ${client}, ${String(lamports)})
        on conflict (budget, minute, client) do update set lamports = row.lamports + excluded.lamports`;
      return { ...spending, minute: Number(minute) };
    });
  }

  async refund({ minute, client, lamports }: Spent): Promise<void> {
    await this.#database.run(
      (sql) => sql`
        update spending set lamports = lamports - ${String(lamports)}
        where budget = ${this.#name} and minute = ${minute} and client = ${client}`,
    );
  }

  async spent(): Promise<bigint> {
    const { total } = await this.#database.transact((sql) => this.#read(sql, ''));
    return BigInt(total);
  }

  async #read(sql: Transaction, client: string): Promise<Row> {
    const [row] = await sql<[Row]>`
      with now as (select floor(extract(epoch from state_now()) / 60)::bigint as minute)
      select
        now.minute,
        coalesce(sum(lamports), 0) as total,
        coalesce(sum(lamports) filter (where client = ${client}), 0) as own
      from now left join spending on budget = ${this.#name} and spending.minute > now.minute - ${HOUR_MINUTES}
      group by now.minute`;
    return row;
  }
}
