import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { PrivateViews } from '../privacy/private-views.ts';
import type { LedgerEvent } from '../privacy/shown-event.ts';
import type { LoginDesk } from './login-desk.ts';

/** A rollup as the holders of tokens may read it: what its HTTP and WebSocket servers read. */
export class TokenReaders {
  readonly #desk: LoginDesk;
  readonly #views: PrivateViews;

  constructor(desk: LoginDesk, views: PrivateViews) {
    this.#desk = desk;
    this.#views = views;
  }

  /** Whose token it is; undefined for one that is no good. */
  readerOf(token: string): Address | undefined {
    return this.#desk.readerOf(token);
  }

  /** The ledger as a reader sees it; null is whoever sent no token. */
  viewFor(reader: Address | null): Ledger {
    return this.#views.viewFor(reader);
  }

  readonly isTokenGood = (token: string): boolean => this.#desk.readerOf(token) !== undefined;

  /**
   * An event as whoever holds a token may learn of it, judged as of now: a subscription outlives its token, but tells no
   * more than anybody may know.
   */
  readonly view = (event: LedgerEvent, token: string | null): LedgerEvent | null => {
    const reader = token === null ? null : (this.#desk.readerOf(token) ?? null);
    return this.#views.showEvent(event, reader);
  };
}
