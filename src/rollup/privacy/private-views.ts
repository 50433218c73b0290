import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { LoginService } from '../auth/login-service.ts';
import type { EmbeddedRollup } from '../rollup.ts';
import type { AccessGuard, Guards, Reader } from './guards.ts';
import { LedgerView } from './ledger-view.ts';
import type { HistoryNames } from './shown-history.ts';
import { showEvent } from './shown-record.ts';

/** A rollup as its readers see it. */
export class PrivateViews {
  readonly #ledger: Ledger;
  readonly #guards: Guards;
  readonly #names: HistoryNames;

  /** @param names the names under which the history of `ledger` lists transactions. */
  constructor(ledger: Ledger, guards: Guards, names: HistoryNames) {
    this.#ledger = ledger;
    this.#guards = guards;
    this.#names = names;
  }

  /** Returns the ledger as a reader sees it; null for a caller without a token. */
  viewFor(reader: Reader): Ledger {
    return new LedgerView(this.#ledger, this.#guards, this.#names, reader);
  }

  /** Filters an event for a reader; null if it must be hidden. */
  showEvent(event: LedgerEvent, reader: Reader): LedgerEvent | null {
    return showEvent(event, reader, this.#guards, this.#ledger);
  }

  /** Returns the wallets that may read an account; null if everyone may. */
  readersOf(account: Address): AccessGuard['readers'] | null {
    return this.#guards.get(account)?.readers ?? null;
  }
}

/** The rollup as seen by callers with a login token. The HTTP and WebSocket servers read from it. */
export class TokenReaders {
  readonly #logins: LoginService;
  readonly #views: PrivateViews;

  constructor(logins: LoginService, views: PrivateViews) {
    this.#logins = logins;
    this.#views = views;
  }

  /** The ledger as shown without a token. */
  get publicView(): Ledger {
    return this.#views.viewFor(null);
  }

  /** Returns the ledger as the holder of a token sees it; undefined for an invalid token. */
  viewOf(token: string): Ledger | undefined {
    const reader = this.#logins.readerOf(token);
    return reader && this.#views.viewFor(reader);
  }

  readonly isTokenValid = (token: string): boolean => this.#logins.readerOf(token) !== undefined;

  /** Filters an event for the holder of a token. After the token has expired, only public data is left. */
  readonly view = (event: LedgerEvent, token: string | null): LedgerEvent | null => {
    const reader = token === null ? null : (this.#logins.readerOf(token) ?? null);
    return this.#views.showEvent(event, reader);
  };
}

const ACCOUNTS_STEP = 1_000;
const BYTES_STEP = 1024 * 1024;

/**
 * Returns the counters of a rollup as shown without a login. Account and file sizes are rounded up to whole
 * steps, because exact values would show how many parts a private payment has. This only protects against
 * casual observers: a count at the edge of a step reveals the next account.
 */
export function coarseFigures(figures: EmbeddedRollup['figures']): EmbeddedRollup['figures'] {
  return {
    head: () => figures.head(),
    accountCount: () => roundedUp(figures.accountCount(), ACCOUNTS_STEP),
    accountsBytes: () => roundedUp(figures.accountsBytes(), BYTES_STEP),
    get accountsBytesMax() {
      return figures.accountsBytesMax;
    },
    transactionCount: () => figures.transactionCount(),
    storeBytes: () => roundedUp(figures.storeBytes(), BYTES_STEP),
  };
}

const roundedUp = (value: number, step: number): number => Math.ceil(value / step) * step;
