import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import { readBaseFacts } from './base-claims.ts';
import type { MintBook } from '../answers.ts';
import { readMintBook } from './mint-book.ts';

/** Mints in one answer. */
const PAGE_MAX = 100;

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

  /** A page of them, after a mint; the first page without one, and none after an unknown mint. */
  async after(mint: string | null): Promise<readonly MintBook[]> {
    const books = await this.#current();
    const at = mint === null ? 0 : books.findIndex((book) => book.mint === mint) + 1;
    if (mint !== null && at === 0) return [];
    return books.slice(at, at + PAGE_MAX);
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
    return this.#isStale ? this.#read() : this.#books;
  }

  #read(): readonly MintBook[] {
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
