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
  /** Lamports spent by all clients, by minute. */
  readonly #totals: Table<bigint>;

  /** @param name name of the budget. */
  constructor(tables: Tables, clock: Clock, name: string) {
    this.#tables = tables;
    this.#clock = clock;
    this.#rows = tables.open(`${name} spent`);
    this.#totals = tables.open(`${name} spent by minute`);
  }

  spend(spending: Spending, limit: bigint): Promise<SpendingVerdict> {
    return this.#tables.change(() => {
      const minutes = this.#minutes();
      const ofClient = minutes.map(([minute]) => this.#rows.get(rowOf(minute, spending.client)) ?? 0n);
      const all = sumOf(minutes.map(([, lamports]) => lamports));
      const verdict = checkSpending(spending, { all, client: sumOf(ofClient) }, limit);
      if (verdict !== 'fits') return verdict;
      this.#sweep();
      const spent = { ...spending, minute: minuteOf(this.#clock) };
      this.#add(spent, spent.lamports);
      return spent;
    });
  }

  refund(spent: Spent): Promise<void> {
    return this.#tables.change(() => {
      if (this.#rows.get(rowOf(spent.minute, spent.client)) !== undefined) this.#add(spent, -spent.lamports);
    });
  }

  async spent(): Promise<bigint> {
    return sumOf(this.#minutes().map(([, lamports]) => lamports));
  }

  #add({ minute, client }: Spent, lamports: bigint): void {
    const [row, total] = [rowOf(minute, client), String(minute)];
    this.#rows.put(row, (this.#rows.get(row) ?? 0n) + lamports);
    this.#totals.put(total, (this.#totals.get(total) ?? 0n) + lamports);
  }

  /** Returns the lamports spent in each minute of the last hour. */
  #minutes(): readonly (readonly [number, bigint])[] {
    return this.#totals
      .entries()
      .map(([minute, lamports]) => [Number(minute), lamports] as const)
      .filter(([minute]) => this.#isCurrent(minute));
  }

  #isCurrent(minute: number): boolean {
    return minute > minuteOf(this.#clock) - HOUR_MINUTES;
  }

  /** Deletes records that are more than an hour old. */
  #sweep(): void {
    for (const table of [this.#rows, this.#totals]) {
      for (let [key] = table.first() ?? []; key !== undefined; [key] = table.first() ?? []) {
        if (this.#isCurrent(Number.parseInt(key, 10))) break;
        table.remove(key);
      }
    }
  }
}

const minuteOf = (clock: Clock): number => Math.floor(clock.now() / MINUTE_MS);

const rowOf = (minute: number, client: string): string => `${minute} ${client}`;

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, lamports) => sum + lamports, 0n);
