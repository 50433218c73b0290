import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { isOfBooks } from '../books/item.ts';
import type { RollupContext } from '../rollup-context.ts';
import { CallbackRunner } from './callback-runner.ts';
import { Claims } from './claims.ts';
import { IntentSettler } from './intent-settler.ts';
import { Jobs, type SettlementContext } from './jobs.ts';
import { RescueSettler } from './rescue-settler.ts';
import { Settler } from './settler.ts';
import { booksOf, HaltedMints } from './solvency.ts';

type LedgerEvent = Parameters<LedgerListener>[0];

interface SettlementParts extends RollupContext, Pick<SettlementContext, 'processSettled'> {
  /** Halted mints with the reason; kept up to date. */
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

/** All work of the rollup on base, and its consequences. Idle when the books have no open items. */
export class Settlement {
  readonly #parts: SettlementParts;
  readonly #claims: Claims;
  readonly #halted: HaltedMints;
  readonly #intents: IntentSettler;
  readonly #jobs: Jobs;
  readonly #stopListening: () => void;

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
    const jobs = [new Settler(shared), this.#intents, new RescueSettler(shared), new CallbackRunner(shared)];
    this.#jobs = new Jobs(jobs, logger);
    // Books may be acted upon when they are durable.
    this.#stopListening = ledger.subscribe(({ changes }) => {
      if (changes.some(({ address }) => isOfBooks(address))) this.wake();
    });
  }

  get status(): SettlementStatus {
    const books = new BooksView(this.#parts.ledger.state());
    return {
      pending:
        books.requests().length + books.intents().length + books.rescues().length + books.callbacks().length,
      stalled: this.#jobs.stalledCount,
      halted: [...this.#halted.reasons].map(([mint, reason]) => ({ mint, reason })),
    };
  }

  /** The ids of payments whose outcome is unknown. They are held so that they are not made twice. */
  get held(): readonly bigint[] {
    return this.#intents.held;
  }

  /**
   * Compares the claims that settlement uses with a new read of all eATAs, for tests.
   *
   * @throws {Error} names the first difference.
   */
  assertExactClaims(): void {
    this.#claims.assertExact();
  }

  /** Starts the work on the open items of the books, in the background. */
  wake(): void {
    this.#jobs.wake();
  }

  /** Retries failed items for which this event on base may be the fix. */
  reconsider(event: LedgerEvent): void {
    if (event.kind === 'accounts') this.#jobs.releaseAll();
    this.#halted.reconsider();
    this.wake();
  }

  get isBusy(): boolean {
    return this.#jobs.isBusy;
  }

  /** Resolves when nothing is left except items that must wait. */
  async idle(): Promise<void> {
    await this.#jobs.idle();
  }

  /** Finishes the current step, then stops. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#halted.close();
    await this.#jobs.close();
    this.#claims.close();
  }
}
