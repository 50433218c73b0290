import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { isOfBooks } from '../books/books-address.ts';
import { BooksView } from '../books/books.ts';
import type { Projections } from '../projection/projections.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import { CallbackRunner } from './callback-runner.ts';
import { Claims } from './claims.ts';
import { Duties } from './duties.ts';
import { HaltedMints } from './halted-mints.ts';
import { IntentSettler } from './intent-settler.ts';
import { RescueSettler } from './rescue-settler.ts';
import { Settler } from './settler.ts';
import { booksOf } from './solvency.ts';

type LedgerEvent = Parameters<LedgerListener>[0];

/** What a {@link Settlement} needs. */
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
  /** Mints that are halted, with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
  /** Takes in what base has carried out, told of or not; resolves once that is durable, or cannot be. */
  readonly takeInSettled: () => Promise<void>;
}

/** How settlement stands. */
export interface SettlementStatus {
  /** What was accepted and is not on base yet. */
  readonly pending: number;
  /** What of it base did not take; it is tried again by itself. */
  readonly stalled: number;
  /** Mints whose undelegations are refused until their accounts on base are in order. */
  readonly halted: readonly { readonly mint: Address; readonly reason: string }[];
}

/** Everything the rollup brings to base, and what follows from it. Idle when its books have nothing to do. */
export class Settlement {
  readonly #parts: SettlementParts;
  readonly #claims: Claims;
  readonly #halted: HaltedMints;
  readonly #settler: Settler;
  readonly #intents: IntentSettler;
  readonly #rescues: RescueSettler;
  readonly #duties: Duties;
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
    this.#duties = new Duties([this.#settler, this.#intents, this.#rescues, callbacks], logger);
    // What is taken into the books may be acted upon once it is durable.
    this.#stopListening = ledger.subscribe(({ changes }) => {
      if (changes.some(({ address }) => isOfBooks(address))) this.wake();
    });
  }

  get status(): SettlementStatus {
    const books = new BooksView(this.#parts.ledger.state());
    return {
      pending:
        books.requests().length + books.intents().length + books.rescues().length + books.callbacks().length,
      stalled: this.#duties.stalledCount,
      halted: [...this.#halted.reasons].map(([mint, reason]) => ({ mint, reason })),
    };
  }

  /** The ids of payments that may have been made, and are held so that they are not made twice. */
  get held(): readonly bigint[] {
    return this.#intents.held;
  }

  /**
   * Reads all eATAs of all mints and compares them with what settlements go by, which reads only those that
   * have changed.
   *
   * @throws {Error} saying what differs.
   */
  assertExactClaims(): void {
    this.#claims.assertExact();
  }

  /** Starts working through the books, in the background. */
  wake(): void {
    this.#duties.wake();
  }

  /** Retries at once what failed if this event on base may have been what it waited for. */
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
    return this.#duties.isBusy;
  }

  /** Resolves when nothing is left to do but what has to wait. */
  async idle(): Promise<void> {
    await this.#duties.idle();
  }

  /** Finishes the step under way, then stops. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#halted.close();
    await this.#duties.close();
    this.#claims.close();
  }
}
