import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import type { MintBook } from '../answers.ts';
import { type ApiRoute, createReadRoute } from '../api-route.ts';
import { readBaseFacts } from './base-claims.ts';
import { readMintBook } from './mint-book.ts';

/** Mints in one answer: anybody may make one. */
const MINTS_MAX = 100;

/**
 * How long whoever asks waits until books that have changed are added up again, as a multiple of the time
 * that took: it looks at every eATA, and takes a tenth of the processor at most, however often it is asked
 * for.
 */
const REST_FACTOR = 9;

/** What the books are read from. */
interface BooksOptions {
  readonly base: Pick<EmbeddedLedger, 'state' | 'head' | 'subscribe'>;
  /** Never goes back, whatever happens to the wall clock, ms. */
  readonly clock: Clock;
  readonly timer: Timer;
  /** The mints that the service knows, which come first. */
  readonly known: readonly { readonly mint: Address; readonly symbol: string }[];
}

/**
 * The books of every mint, from what base shows to everybody: the rollup is not asked, so that a private
 * payment changes nothing in them.
 */
export class Books {
  readonly #options: BooksOptions;
  readonly #unsubscribe: () => void;
  #isStale = true;
  /** From then on they may be added up again. */
  #restsUntilMs = -Infinity;
  #rest: Promise<void> | undefined;
  #books: readonly MintBook[] = [];

  constructor(options: BooksOptions) {
    this.#options = options;
    this.#unsubscribe = options.base.subscribe(() => {
      this.#isStale = true;
    });
  }

  /** Those of the mints that the service knows, then of the others by address. */
  async read(): Promise<readonly MintBook[]> {
    return (await this.#current()).slice(0, MINTS_MAX);
  }

  close(): void {
    this.#unsubscribe();
  }

  async #current(): Promise<readonly MintBook[]> {
    const { clock, timer } = this.#options;
    if (!this.#isStale) return this.#books;
    const restMs = this.#restsUntilMs - clock.now();
    if (restMs > 0) {
      this.#rest ??= new Promise((resolve) => timer.after(Math.ceil(restMs), resolve));
      await this.#rest;
      this.#rest = undefined;
    }
    return this.#isStale ? this.#addUp() : this.#books;
  }

  #addUp(): readonly MintBook[] {
    const { base, clock, known } = this.#options;
    const startedMs = clock.now();
    const state = base.state();
    const facts = readBaseFacts(state);
    const symbols = new Map(known.map(({ mint, symbol }) => [mint, symbol]));
    const others = [...new Set([...facts.vaults.keys(), ...facts.claims.keys()])].filter(
      (mint) => !symbols.has(mint),
    );
    const mints = [...symbols.keys(), ...others.toSorted()];
    const context = {
      base: state,
      facts,
      slot: base.head().slot,
      symbolOf: (mint: Address) => symbols.get(mint) ?? null,
    };
    this.#books = mints.map((mint) => readMintBook(mint, context));
    this.#isStale = false;
    const endedMs = clock.now();
    this.#restsUntilMs = endedMs + (endedMs - startedMs) * REST_FACTOR;
    return this.#books;
  }
}

/** `GET /console/api/books`: the books of the mints; of none where there is no ledger. */
export const createBooksRoute = (books: Books | null): ApiRoute =>
  createReadRoute('/console/api/books', async () => (await books?.read()) ?? []);
