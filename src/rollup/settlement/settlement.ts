import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { isOfBooks } from '../books/item.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import type { Projections } from '../projection/projections.ts';
import { CallbackRunner } from './callback-runner.ts';
import { Claims } from './claims.ts';
import { Jobs } from './jobs.ts';
import { IntentSettler } from './intent-settler.ts';
import { RescueSettler } from './rescue-settler.ts';
import { Settler } from './settler.ts';
import { booksOf, HaltedMints } from './solvency.ts';

type LedgerEvent = Parameters<LedgerListener>[0];

interface SettlementParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: EmbeddedLedger;
  readonly projections: Projections;
  readonly runner: Pick<OwnRunner, 'run'>;
  readonly validator: Keypair;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Halted mints with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
  /** Processes what base has executed, published or not. Resolves when that is durable or has failed. */
  readonly processSettled: () => Promise<void>;
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
  readonly #settler: Settler;
  readonly #intents: IntentSettler;
  readonly #rescues: RescueSettler;
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
    this.#settler = new Settler(shared);
    this.#intents = new IntentSettler(shared);
    this.#rescues = new RescueSettler(shared);
    const callbacks = new CallbackRunner(shared);
    this.#jobs = new Jobs([this.#settler, this.#intents, this.#rescues, callbacks], logger);
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
    this.#settler.reconsider(event);
    if (event.kind === 'accounts') {
      this.#intents.releaseAll();
      this.#rescues.releaseAll();
    }
    this.#halted.reconsider(event);
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
