import type { Ledger } from '../../ledger/ledger.ts';
import type { PrivateViews } from '../privacy/private-views.ts';
import type { LedgerEvent } from '../privacy/shown-event.ts';
import type { LoginService } from './login-service.ts';

/** A rollup as the holders of tokens may read it: what its HTTP and WebSocket servers read. */
export class TokenReaders {
  readonly #logins: LoginService;
  readonly #views: PrivateViews;

  constructor(logins: LoginService, views: PrivateViews) {
    this.#logins = logins;
    this.#views = views;
  }

  /** The ledger as it is shown to whoever sent no token. */
  get publicView(): Ledger {
    return this.#views.viewFor(null);
  }

  /** The ledger as the holder of a token sees it; undefined for a token that is no good. */
  viewOf(token: string): Ledger | undefined {
    const reader = this.#logins.readerOf(token);
    return reader && this.#views.viewFor(reader);
  }

  readonly isTokenGood = (token: string): boolean => this.#logins.readerOf(token) !== undefined;

  /**
   * An event as whoever holds a token may learn of it, judged as of now: a subscription outlives its token,
   * but tells no more than anybody may know.
   */
  readonly view = (event: LedgerEvent, token: string | null): LedgerEvent | null => {
    const reader = token === null ? null : (this.#logins.readerOf(token) ?? null);
    return this.#views.showEvent(event, reader);
  };
}
