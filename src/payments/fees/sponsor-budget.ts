import { ServiceError, isServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { readFates, type Fate, type FateLedger, type SponsoredTransaction } from './sponsored-fate.ts';

/** The time a budget is for, ms. */
const HOUR_MS = 3_600_000;

/** What is spent is kept for each of these parts of an hour, ms. */
const PART_MS = 60_000;

/** How often the ledgers are asked what became of transactions, ms. */
const LOOK_MS = 2_000;

/** Transactions whose fate is open at once. */
const HELD_MAX = 1_000;

/** How many are asked for at once. */
const ASKED_AT_ONCE = 20;

/** What one client may hold at once is the budget, and the number of transactions, divided by this. */
const CLIENT_SHARE = 4n;
const HELD_OF_CLIENT_MAX = HELD_MAX / Number(CLIENT_SHARE);

/** How a budget stands, lamports. */
interface BudgetFigures {
  /** Of the last hour. */
  readonly spent: bigint;
  /** Of transactions that may still land. */
  readonly held: bigint;
  readonly limit: bigint;
}

/** What a {@link SponsorBudget} needs. */
interface BudgetPorts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/**
 * What a sponsor may spend in an hour. The most that a signed transaction can cost is held until its ledger
 * has told what became of it: what landed is spent, for an hour from then, and what cannot land any more is
 * given back. Where nobody tells, it is taken for spent.
 */
export class SponsorBudget {
  readonly #ports: BudgetPorts;
  readonly #limit: bigint;
  /** Lamports by the part of time they were spent in. */
  readonly #spent = new Map<number, bigint>();
  /** By signature. */
  readonly #held = new Map<string, SponsoredTransaction>();
  #isLooking = false;
  /** Whether it has been said that it is exhausted. */
  #isSaid = false;

  /** @param lamportsPerHour what transactions may cost together. */
  constructor(ports: BudgetPorts, lamportsPerHour: bigint) {
    this.#ports = ports;
    this.#limit = lamportsPerHour;
  }

  get figures(): BudgetFigures {
    return { spent: this.#spentOfHour(), held: sumOf(this.#held.values()), limit: this.#limit };
  }

  /**
   * Holds what a transaction can cost. The same one again is held once.
   *
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if that is more than is left, or than one client may hold;
   *   nothing is held then.
   */
  hold(transaction: SponsoredTransaction): void {
    if (this.#held.has(transaction.signature)) return;
    this.#refuseExhausted(transaction.lamports);
    this.#refuseGreedy(transaction);
    this.#held.set(transaction.signature, transaction);
    this.#lookLater();
  }

  #refuseExhausted(lamports: bigint): void {
    const { spent, held, limit } = this.figures;
    const taken = spent + held;
    // What is exhausted says so once, until half of it is free again.
    if (taken * 2n < limit) this.#isSaid = false;
    if (taken + lamports <= limit && this.#held.size < HELD_MAX) return;
    if (!this.#isSaid) {
      this.#isSaid = true;
      const figures = { spent: String(spent), held: String(held), limit: String(limit) };
      this.#ports.logger.warn(
        figures,
        'the sponsor of gasless transfers has nothing left for now (lamports)',
      );
    }
    throw unavailable(
      'The sponsor of gasless transfers has spent what it may spend in an hour; try again later, or leave out gasless to have the sender pay the lamports',
    );
  }

  /** Whoever holds nothing may hold one, however small the budget is. */
  #refuseGreedy({ client, lamports }: SponsoredTransaction): void {
    if (client === undefined) return;
    const own = [...this.#held.values()].filter((one) => one.client === client);
    const isShare = own.length < HELD_OF_CLIENT_MAX && sumOf(own) + lamports <= this.#limit / CLIENT_SHARE;
    if (own.length === 0 || isShare) return;
    throw unavailable(
      'The sponsor of gasless transfers has signed as much for you as it does at once; try again when what it signed has landed or expired, or leave out gasless to have the sender pay the lamports',
    );
  }

  #lookLater(): void {
    if (this.#isLooking || this.#held.size === 0) return;
    this.#isLooking = true;
    this.#ports.timer.after(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const held = [...this.#held.values()];
    const ledgers = [...new Set(held.map(({ ledger }) => ledger))];
    await Promise.all(
      ledgers.map((ledger) =>
        this.#ask(
          ledger,
          held.filter((one) => one.ledger === ledger),
        ),
      ),
    );
    this.#isLooking = false;
    this.#lookLater();
  }

  /** Where a ledger cannot be read, all is held until it can. */
  async #ask(ledger: FateLedger, held: readonly SponsoredTransaction[]): Promise<void> {
    try {
      for (let from = 0; from < held.length; from += ASKED_AT_ONCE) {
        const asked = held.slice(from, from + ASKED_AT_ONCE);
        const fates = await readFates(ledger, asked);
        for (const [index, fate] of fates.entries()) this.#settle(asked[index] as SponsoredTransaction, fate);
      }
    } catch (error) {
      if (isServiceError(error)) return;
      this.#ports.logger.error({ err: error }, 'what became of sponsored transactions could not be read');
    }
  }

  #settle({ signature, lamports, failedLamports }: SponsoredTransaction, fate: Fate): void {
    if (fate === 'open') return;
    this.#held.delete(signature);
    if (fate === 'expired') return;
    const part = this.#partNow();
    const cost = fate === 'failed' ? failedLamports : lamports;
    this.#spent.set(part, (this.#spent.get(part) ?? 0n) + cost);
  }

  #spentOfHour(): bigint {
    const part = this.#partNow();
    let sum = 0n;
    for (const [at, amount] of this.#spent) {
      // A clock that was set back leaves later parts, which count until it has caught up.
      if (at <= part - HOUR_MS / PART_MS) this.#spent.delete(at);
      else sum += amount;
    }
    return sum;
  }

  #partNow(): number {
    return Math.floor(this.#ports.clock.now() / PART_MS);
  }
}

function sumOf(transactions: Iterable<SponsoredTransaction>): bigint {
  let sum = 0n;
  for (const { lamports } of transactions) sum += lamports;
  return sum;
}

const unavailable = (message: string): ServiceError =>
  new ServiceError('SPONSOR_UNAVAILABLE', message, { field: 'gasless' });
