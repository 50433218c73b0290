import { isServiceError } from '../../errors/service-error.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { isOfBooks } from '../books/item.ts';
import type { RollupContext } from '../rollup-context.ts';
import { CallbackRunner } from './callback-runner.ts';
import { Claims } from './claims.ts';
import { IntentSettler } from './intent-settler.ts';
import type { Job, SettlementContext } from './jobs.ts';
import { RescueSettler } from './rescue-settler.ts';
import { Settler } from './settler.ts';
import { booksOf, HaltedMints } from './solvency.ts';

interface SettlementParts extends RollupContext, Pick<SettlementContext, 'processSettled'> {
  /** Halted mints, each with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
}

/** The state of settlement. */
export interface SettlementStatus {
  /** Accepted items that are not on base yet. */
  readonly pending: number;
  /** Pending items that base did not accept. They are retried automatically. */
  readonly stalled: number;
  /** Mints whose undelegations are rejected until their accounts on base are in order. */
  readonly halted: readonly { readonly mint: Address; readonly reason: string }[];
}

/**
 * Runs the rollup's jobs on base, step by step, while any of them has work. The result of a step on base is
 * processed before the next step is planned, so each step sees a consistent state of both ledgers.
 */
export class Settlement {
  readonly #parts: SettlementParts;
  readonly #claims: Claims;
  readonly #halted: HaltedMints;
  readonly #intents: IntentSettler;
  readonly #jobs: readonly Job[];
  readonly #stopListening: () => void;
  #isBusy = false;
  /** Whether work may have arrived that no job has checked yet. */
  #isWanted = false;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(parts: SettlementParts) {
    const { timer, logger, ledger, base } = parts;
    this.#parts = parts;
    const claims = new Claims(parts);
    this.#claims = claims;
    const wake = (): void => this.wake();
    this.#halted = new HaltedMints({
      halted: parts.halted,
      timer,
      logger,
      check: (keys) => void booksOf(keys, claims.of(keys.mint), base.state()),
      onReopened: wake,
    });
    const shared = { ...parts, claims, halted: this.#halted, wake };
    this.#intents = new IntentSettler(shared);
    this.#jobs = [new Settler(shared), this.#intents, new RescueSettler(shared), new CallbackRunner(shared)];
    // Events report durable changes, so jobs may act on them.
    this.#stopListening = ledger.subscribe(({ changes }) => {
      if (changes.some(({ address }) => isOfBooks(address))) this.wake();
    });
  }

  get status(): SettlementStatus {
    const books = new BooksView(this.#parts.ledger.state());
    return {
      pending:
        books.requests().length + books.intents().length + books.rescues().length + books.callbacks().length,
      stalled: this.#jobs.reduce((sum, job) => sum + job.stalledCount, 0),
      halted: [...this.#halted.reasons].map(([mint, reason]) => ({ mint, reason })),
    };
  }

  /** The ids of payments whose outcome is unknown. They are not sent again, because that could pay twice. */
  get held(): readonly bigint[] {
    return this.#intents.held;
  }

  /**
   * Compares the tracked claims with a new read of all eATAs, for tests.
   *
   * @throws {Error} naming the first difference.
   */
  assertExactClaims(): void {
    this.#claims.assertExact();
  }

  /** Starts the work on the open items of the books, in the background. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isBusy || this.#isClosing) return;
    this.#isBusy = true;
    this.#work = this.#workOff();
  }

  /** Retries failed items that this event on base may have fixed. */
  reconsider(event: LedgerEvent): void {
    if (event.kind === 'accounts') for (const job of this.#jobs) job.releaseAll();
    this.#halted.reconsider();
    this.wake();
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Resolves when nothing is left except items that must wait. */
  async idle(): Promise<void> {
    while (this.#isBusy) await this.#work;
  }

  /** Finishes the current step, then stops. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#halted.close();
    this.#isClosing = true;
    for (const job of this.#jobs) job.close();
    await this.idle();
    this.#claims.close();
  }

  async #workOff(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isClosing) {
        this.#isWanted = false;
        for (const job of this.#jobs) {
          if (!this.#isClosing && (await job.step())) this.#isWanted = true;
        }
      }
    } catch (error) {
      // The ledger has already logged why it stopped.
      if (isServiceError(error, 'LEDGER_STOPPED')) return;
      this.#parts.logger.error(
        { err: error },
        'settlement failed; it continues after the next event on either ledger',
      );
    } finally {
      // This is synchronous with the last check of `#isWanted`, so a later call of `wake` starts again.
      this.#isBusy = false;
    }
  }
}
