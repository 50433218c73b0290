import type { Clock } from '../../ports/clock.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** The time a budget is for, ms. */
const HOUR_MS = 3_600_000;

/** What is spent is kept for each of these parts of an hour, ms. */
const PART_MS = 60_000;

/**
 * What a sponsor may spend in an hour. Whoever has a transaction signed need not send it, and whoever sends
 * it may have seen to it that it fails: both count with the most that they can cost.
 */
export class SponsorBudget {
  readonly #clock: Clock;
  readonly #lamportsMax: bigint;
  /** Lamports by the part of time they were spent in. */
  readonly #spent = new Map<number, bigint>();

  constructor(clock: Clock, lamportsPerHour: bigint) {
    this.#clock = clock;
    this.#lamportsMax = lamportsPerHour;
  }

  /**
   * Counts lamports as spent.
   *
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if they are more than is left of the last hour's; none is
   *   counted then.
   */
  spend(lamports: bigint): void {
    const part = Math.floor(this.#clock.now() / PART_MS);
    let sum = lamports;
    for (const [at, amount] of this.#spent) {
      // A clock that was set back leaves later parts, which count until it has caught up.
      if (at <= part - HOUR_MS / PART_MS) this.#spent.delete(at);
      else sum += amount;
    }
    if (sum > this.#lamportsMax) throw budgetSpent();
    this.#spent.set(part, (this.#spent.get(part) ?? 0n) + lamports);
  }
}

const budgetSpent = (): ServiceError =>
  new ServiceError(
    'SPONSOR_UNAVAILABLE',
    'The sponsor of gasless transfers has spent what it may spend in an hour; try again later, or leave out gasless to have the sender pay the lamports',
    { field: 'gasless' },
  );
