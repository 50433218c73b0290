import type { Ledger } from '../../ledger/ledger.ts';
import type { PrivateViews } from '../privacy/private-views.ts';
import type { LedgerEvent } from '../privacy/shown-record.ts';
import type { LoginService } from './login-service.ts';

/** A rollup as seen by the holders of tokens. The HTTP and WebSocket servers read from it. */
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

  /**
   * Filters an event for the holder of a token. A subscription outlives its token: after that it gets only
   * what everyone may see.
   */
  readonly view = (event: LedgerEvent, token: string | null): LedgerEvent | null => {
    const reader = token === null ? null : (this.#logins.readerOf(token) ?? null);
    return this.#views.showEvent(event, reader);
  };
}
