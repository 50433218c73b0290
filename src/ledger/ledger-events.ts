import type { Logger } from '../ports/logger.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionRecord } from './ledger.ts';

/** An account before and after a change; null if it does not exist. */
export interface AccountChange {
  readonly address: Address;
  readonly before: Account | null;
  readonly after: Account | null;
}

/** The event that a transaction has landed, including a failed one. */
export interface TransactionLanded {
  readonly kind: 'transaction';
  readonly slot: number;
  readonly record: TransactionRecord;
  readonly changes: readonly AccountChange[];
}

/** The event that accounts were set without a transaction, by the operator or a reset of the ledger. */
export interface AccountsSet {
  readonly kind: 'accounts';
  readonly slot: number;
  readonly changes: readonly AccountChange[];
}

/** An event of a ledger. */
export type LedgerEvent = TransactionLanded | AccountsSet;

/** Receives the events of a ledger. It is called synchronously and must not throw. */
export type LedgerListener = (event: LedgerEvent) => void;

/** Receives account changes of a ledger before they are durable. Must not throw. */
export interface AccountObserver {
  /** Receives an account that was set, even if only for one run. An account with 0 lamports was removed. */
  noteAccount(address: Address, account: Account): void;
  /** Handles a reset of the ledger, after which any account may have changed. */
  noteReset(): void;
}

interface Waiting {
  readonly event: LedgerEvent;
  readonly listeners: ReadonlySet<LedgerListener>;
  isDurable: boolean;
}

/** Publishes events in the order in which they happened, each once it is durable. */
export class EventFeed {
  readonly #logger: Logger;
  /** The listeners. The set is replaced and never modified, because waiting events refer to it. */
  #listeners: ReadonlySet<LedgerListener> = new Set();
  readonly #waiting: Waiting[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Sends later events to `listener`. Returns a function that unsubscribes it. */
  subscribe(listener: LedgerListener): () => void {
    // A new wrapper each time allows a function to subscribe twice.
    const own: LedgerListener = (event) => listener(event);
    this.#listeners = new Set([...this.#listeners, own]);
    return () => {
      this.#listeners = new Set([...this.#listeners].filter((each) => each !== own));
    };
  }

  /** Yields the changes of waiting events, in the order in which they happened. */
  *unpublished(): Iterable<AccountChange> {
    for (const { event } of this.#waiting) yield* event.changes;
  }

  /** Adds an event. Returns the function to call once it is durable. */
  announce(event: LedgerEvent): () => void {
    if (this.#listeners.size === 0) return () => undefined;
    const waiting: Waiting = { event, listeners: this.#listeners, isDurable: false };
    this.#waiting.push(waiting);
    return () => {
      waiting.isDurable = true;
      while (this.#waiting[0]?.isDurable === true) this.#publish(this.#waiting.shift() as Waiting);
    };
  }

  #publish({ event, listeners }: Waiting): void {
    for (const listener of listeners) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(event);
      } catch (error) {
        // The change is already durable, so the caller must not see this error.
        this.#logger.error({ err: error }, 'a listener of ledger events failed');
      }
    }
  }
}
