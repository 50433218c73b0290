import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { AccessGuard, Guards, Reader } from './guards.ts';
import { LedgerView } from './ledger-view.ts';
import type { HistoryNames } from './shown-history.ts';
import { type LedgerEvent, showEvent } from './shown-record.ts';

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
