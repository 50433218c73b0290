import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { AccessGuard, Reader } from './guard.ts';
import type { Guards } from './guards.ts';
import type { HistoryNames } from './history-names.ts';
import { LedgerView } from './ledger-view.ts';
import { showEvent, type LedgerEvent } from './shown-event.ts';

/** Views kept at most; making one again costs next to nothing. */
const VIEWS_MAX = 1_000;

/** A rollup as its readers see it. */
export class PrivateViews {
  readonly #ledger: Ledger;
  readonly #guards: Guards;
  readonly #names: HistoryNames;
  readonly #nobody: Ledger;
  readonly #views = new Map<Address, Ledger>();

  /** @param names what the transactions of `ledger` are listed under. */
  constructor(ledger: Ledger, guards: Guards, names: HistoryNames) {
    this.#ledger = ledger;
    this.#guards = guards;
    this.#names = names;
    this.#nobody = new LedgerView(ledger, guards, names, null);
  }

  /** The ledger as a reader sees it; null is whoever has not logged in. */
  viewFor(reader: Reader): Ledger {
    if (reader === null) return this.#nobody;
    const known = this.#views.get(reader);
    if (known !== undefined) return known;
    const view = new LedgerView(this.#ledger, this.#guards, this.#names, reader);
    if (this.#views.size >= VIEWS_MAX) this.#views.clear();
    this.#views.set(reader, view);
    return view;
  }

  /** An event as a reader may learn of it; null when it is as if it had not happened. */
  showEvent(event: LedgerEvent, reader: Reader): LedgerEvent | null {
    return showEvent(event, reader, this.#guards, this.#ledger);
  }

  /** Who may read an account; null where everybody may. */
  readersOf(account: Address): AccessGuard['readers'] | null {
    return this.#guards.get(account)?.readers ?? null;
  }
}
