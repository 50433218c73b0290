import type { Clock } from '../../ports/clock.ts';
import type { Table, Tables } from '../../ports/tables.ts';

/** Period of a budget, in minutes. Spending is recorded per minute. */
export const HOUR_MINUTES = 60;

const MINUTE_MS = 60_000;

/** Divisor of the budget: one client can spend at most half of it, so that it cannot block the others. */
const CLIENT_SHARE = 2n;

/** A spending to record. */
export interface Spending {
  readonly lamports: bigint;
  /** The client that caused the spending; empty if there is only one caller. */
  readonly client: string;
}

/** A recorded spending. */
export interface Spent extends Spending {
  /** Minute of the record, Unix time. */
  readonly minute: number;
}

/** Lamports spent in the last hour. */
interface Totals {
  readonly all: bigint;
  /** Lamports spent by the client of the new spending. */
  readonly client: bigint;
}

/** Result of {@link BudgetStore.spend}. */
export type SpendingVerdict = Spent | 'exhausted' | 'client-exhausted';

/** An hourly budget that all replicas of a service share. Methods throw if it cannot be read or written. */
export interface BudgetStore {
  /** Records a spending, unless it exceeds the limit of all clients or the share of its client. */
  spend(spending: Spending, limit: bigint): Promise<SpendingVerdict>;
  /** Removes a recorded spending. */
  refund(spent: Spent): Promise<void>;
  /** Returns the lamports spent in the last hour. */
  spent(): Promise<bigint>;
}

/** Returns whether a spending fits into a budget. Each client can spend once, however small the budget is. */
export function checkSpending(
  { lamports, client }: Spending,
  totals: Totals,
  limit: bigint,
): 'fits' | 'exhausted' | 'client-exhausted' {
  if (totals.all + lamports > limit) return 'exhausted';
  const isOverShare = client !== '' && totals.client > 0n && totals.client + lamports > limit / CLIENT_SHARE;
  return isOverShare ? 'client-exhausted' : 'fits';
}

/** A {@link BudgetStore} on tables. If the clock is set back, later records count until it catches up. */
export class TableBudgetStore implements BudgetStore {
  readonly #tables: Tables;
  readonly #clock: Clock;
  /** Lamports by minute and client: `29916666 192.0.2.1`. */
  readonly #rows: Table<bigint>;

  /** @param name name of the budget. */
  constructor(tables: Tables, clock: Clock, name: string) {
    this.#tables = tables;
    this.#clock = clock;
    this.#rows = tables.open(`${name} spent`);
  }

  spend(spending: Spending, limit: bigint): Promise<SpendingVerdict> {
    const { lamports, client } = spending;
    return this.#tables.change(() => {
      const rows = this.#current();
      const own = rows.filter(([key]) => key.slice(key.indexOf(' ') + 1) === client);
      const verdict = checkSpending(spending, { all: sumOf(rows), client: sumOf(own) }, limit);
      if (verdict !== 'fits') return verdict;
      const live = new Set(rows.map(([key]) => key));
      for (const [key] of this.#rows.entries()) if (!live.has(key)) this.#rows.remove(key);
      const spent = { ...spending, minute: this.#minute() };
      this.#rows.put(rowOf(spent), (this.#rows.get(rowOf(spent)) ?? 0n) + lamports);
      return spent;
    });
  }

  refund(spent: Spent): Promise<void> {
    return this.#tables.change(() => {
      const lamports = this.#rows.get(rowOf(spent));
      if (lamports !== undefined) this.#rows.put(rowOf(spent), lamports - spent.lamports);
    });
  }

  async spent(): Promise<bigint> {
    return sumOf(this.#current());
  }

  #minute(): number {
    return Math.floor(this.#clock.now() / MINUTE_MS);
  }

  /** Returns the rows of the last hour. */
  #current(): readonly (readonly [string, bigint])[] {
    const first = this.#minute() - HOUR_MINUTES + 1;
    return this.#rows.entries().filter(([key]) => Number(key.split(' ')[0]) >= first);
  }
}

const rowOf = ({ minute, client }: Spent): string => `${minute} ${client}`;

const sumOf = (rows: readonly (readonly [string, bigint])[]): bigint =>
  rows.reduce((sum, [, lamports]) => sum + lamports, 0n);
