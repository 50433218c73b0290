import type { Clock } from '../../ports/clock.ts';
import type { Table, Tables } from '../../ports/tables.ts';

/** The time a budget is for, ms. */
const HOUR_MS = 3_600_000;

/** What is spent is kept for each of these parts of an hour, ms. */
const PART_MS = 60_000;

/** Transactions whose fate is open at once. */
const HELD_MAX = 1_000;

/** What one client may hold at once is the budget, and the number of transactions, divided by this. */
const CLIENT_SHARE = 4n;
const HELD_OF_CLIENT_MAX = HELD_MAX / Number(CLIENT_SHARE);

/** What nobody has held again for this long is taken for spent when it was held last, ms. */
export const HELD_MS_MAX = 10 * PART_MS;

/** What a signed transaction may cost. */
interface Hold {
  /** Names the transaction. */
  readonly signature: string;
  /** Who asked for it, as requests are limited by; undefined where there is one caller only. */
  readonly client: string | undefined;
  /** The most it can cost, lamports. */
  readonly lamports: bigint;
}

/** How a budget stands, lamports. */
interface BudgetFigures {
  /** Of the last hour. */
  readonly spent: bigint;
  /** Of transactions that may still land. */
  readonly held: bigint;
  readonly limit: bigint;
}

/** What a sponsor may spend, over all processes that sign for it. */
export interface BudgetStore {
  readonly figures: BudgetFigures;
  /**
   * Holds what a transaction can cost. One that is held already is held anew.
   *
   * @throws {Error} the system's, where it cannot be written: nothing is held then.
   */
  hold(hold: Hold): Promise<'held' | 'exhausted' | 'client-exhausted'>;
  /**
   * Ends a hold, of which these lamports were spent just now.
   *
   * @throws {Error} as {@link hold}.
   */
  settle(signature: string, spent: bigint): Promise<void>;
}

interface Held extends Omit<Hold, 'signature'> {
  /** When it was held last, ms. */
  readonly atMs: number;
}

/** A budget in tables. */
export class TableBudgetStore implements BudgetStore {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #limit: bigint;
  /** By signature. */
  readonly #held: Table<Held>;
  /** Lamports by the part of time they were spent in. */
  readonly #spent: Table<bigint>;

  /** @param lamportsPerHour what transactions may cost together. */
  constructor(tables: Tables, clock: Clock, lamportsPerHour: bigint) {
    this.#tables = tables;
    this.#clock = clock;
    this.#limit = lamportsPerHour;
    this.#held = tables.open('sponsor held');
    this.#spent = tables.open('sponsor spent');
  }

  get figures(): BudgetFigures {
    const past = partOf(this.#clock.now()) - HOUR_MS / PART_MS;
    // A clock that was set back leaves later parts, which count until it has caught up.
    const spent = this.#spent.entries().filter(([part]) => Number(part) > past);
    return {
      spent: sumOf(spent.map(([, lamports]) => lamports)),
      held: sumOf(this.#held.entries().map(([, { lamports }]) => lamports)),
      limit: this.#limit,
    };
  }

  hold({ signature, client, lamports }: Hold): Promise<'held' | 'exhausted' | 'client-exhausted'> {
    return this.#tables.change(() => {
      const atMs = this.#clock.now();
      this.#forget(atMs);
      if (this.#held.get(signature) === undefined) {
        const { spent, held, limit } = this.figures;
        const others = this.#held.entries();
        if (spent + held + lamports > limit || others.length >= HELD_MAX) return 'exhausted';
        const own = client === undefined ? [] : others.filter(([, one]) => one.client === client);
        const ownLamports = sumOf(own.map(([, one]) => one.lamports));
        const isShare = own.length < HELD_OF_CLIENT_MAX && ownLamports + lamports <= limit / CLIENT_SHARE;
        // Whoever holds nothing may hold one, however small the budget is.
        if (own.length > 0 && !isShare) return 'client-exhausted';
      }
      this.#held.put(signature, { client, lamports, atMs });
      return 'held';
    });
  }

  settle(signature: string, spent: bigint): Promise<void> {
    return this.#tables.change(() => {
      if (this.#held.get(signature) === undefined) return;
      this.#held.remove(signature);
      this.#spend(spent, this.#clock.now());
    });
  }

  /** Takes for spent what a process that is gone has held, and forgets what was spent long ago. */
  #forget(nowMs: number): void {
    for (const [signature, { lamports, atMs }] of this.#held.entries()) {
      if (nowMs - atMs < HELD_MS_MAX) continue;
      this.#held.remove(signature);
      this.#spend(lamports, atMs);
    }
    for (const [part] of this.#spent.entries()) {
      if (Number(part) <= partOf(nowMs) - HOUR_MS / PART_MS) this.#spent.remove(part);
    }
  }

  #spend(lamports: bigint, atMs: number): void {
    if (lamports === 0n) return;
    const part = String(partOf(atMs));
    this.#spent.put(part, (this.#spent.get(part) ?? 0n) + lamports);
  }
}

const partOf = (ms: number): number => Math.floor(ms / PART_MS);

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
