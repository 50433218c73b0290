import { failureFields } from '../../errors/failure-fields.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { type BudgetStore, HELD_MS_MAX } from './budget-store.ts';
import { type Fate, type FateLedger, readFates, type SponsoredTransaction } from './sponsored-fate.ts';

/** How often the ledgers are asked what became of transactions, ms. */
const LOOK_MS = 2_000;

/** What is still open is held anew this long after it was last held, ms. */
const RENEW_MS = HELD_MS_MAX / 2;

/** How many are asked for at once. */
const ASKED_AT_ONCE = 20;

/** What a {@link SponsorBudget} needs. */
interface BudgetPorts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** A transaction that this process has held. */
interface Held extends SponsoredTransaction {
  /** When it was held last, ms. */
  readonly atMs: number;
}

/**
 * What a sponsor may spend in an hour. The most that a signed transaction can cost is held until its ledger
 * has told what became of it: what landed is spent, for an hour from then, and what cannot land any more is
 * given back. Where nobody tells, it is taken for spent; so is what a process held that was killed.
 */
export class SponsorBudget {
  readonly #ports: BudgetPorts;
  readonly #store: BudgetStore;
  /** What this process asks after, by signature. */
  readonly #held = new Map<string, Held>();
  #isLooking = false;
  /** Whether it has been said that it is exhausted. */
  #isSaid = false;

  constructor(ports: BudgetPorts, store: BudgetStore) {
    this.#ports = ports;
    this.#store = store;
  }

  /**
   * Holds what a transaction can cost. The same one again is held once.
   *
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if that is more than is left, or than one client may hold, or
   *   cannot be written; nothing is held then.
   */
  async hold(transaction: SponsoredTransaction): Promise<void> {
    if (this.#held.has(transaction.signature)) return;
    await this.#holdIn(transaction);
    this.#held.set(transaction.signature, { ...transaction, atMs: this.#ports.clock.now() });
    this.#lookLater();
  }

  async #holdIn(transaction: SponsoredTransaction): Promise<void> {
    const { spent, held, limit } = this.#store.figures;
    // What is exhausted says so once, until half of it is free again.
    if ((spent + held) * 2n < limit) this.#isSaid = false;
    const verdict = await this.#store.hold(transaction).catch((error: unknown) => {
      this.#ports.logger.error(failureFields(error), 'the budget of the sponsor cannot be written');
      throw unavailable('The sponsor of gasless transfers cannot sign for now; try again later');
    });
    if (verdict === 'exhausted') {
      this.#sayExhausted();
      throw unavailable(
        'The sponsor of gasless transfers has spent what it may spend in an hour; try again later, or leave out gasless to have the sender pay the lamports',
      );
    }
    if (verdict === 'client-exhausted') {
      throw unavailable(
        'The sponsor of gasless transfers has signed as much for you as it does at once; try again when what it signed has landed or expired, or leave out gasless to have the sender pay the lamports',
      );
    }
  }

  #sayExhausted(): void {
    if (this.#isSaid) return;
    this.#isSaid = true;
    const { spent, held, limit } = this.#store.figures;
    this.#ports.logger.warn(
      { spent: String(spent), held: String(held), limit: String(limit) },
      'the sponsor of gasless transfers has nothing left for now (lamports)',
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
  async #ask(ledger: FateLedger, held: readonly Held[]): Promise<void> {
    try {
      await this.#renew(held);
      for (let from = 0; from < held.length; from += ASKED_AT_ONCE) {
        const asked = held.slice(from, from + ASKED_AT_ONCE);
        const fates = await readFates(ledger, asked);
        for (const [index, fate] of fates.entries()) await this.#settle(asked[index] as Held, fate);
      }
    } catch (error) {
      if (isServiceError(error)) return;
      this.#ports.logger.error({ err: error }, 'what became of sponsored transactions could not be read');
    }
  }

  async #renew(held: readonly Held[]): Promise<void> {
    const atMs = this.#ports.clock.now();
    for (const one of held) {
      if (atMs - one.atMs < RENEW_MS) continue;
      await this.#store.hold(one);
      this.#held.set(one.signature, { ...one, atMs });
    }
  }

  async #settle({ signature, lamports, failedLamports }: Held, fate: Fate): Promise<void> {
    if (fate === 'open') return;
    const cost = fate === 'failed' ? failedLamports : lamports;
    await this.#store.settle(signature, fate === 'expired' ? 0n : cost);
    this.#held.delete(signature);
  }
}

const unavailable = (message: string): ServiceError =>
  new ServiceError('SPONSOR_UNAVAILABLE', message, { field: 'gasless' });
