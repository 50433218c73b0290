import type { Logger } from '../ports/logger.ts';
import type { AccountChange, LedgerListener } from './ledger-events.ts';

type LedgerEvent = Parameters<LedgerListener>[0];

/** An event and those who listened when it happened. */
interface Waiting {
  readonly event: LedgerEvent;
  readonly listeners: ReadonlySet<LedgerListener>;
  isDurable: boolean;
}

/** Tells of what happened in the order in which it did, each thing once it is durable. */
export class EventFeed {
  readonly #logger: Logger;
  /** Replaced and never changed, so that events can hold on to it. */
  #listeners: ReadonlySet<LedgerListener> = new Set();
  readonly #waiting: Waiting[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Tells `listener` of what happens from now on. Returns what ends it. */
  subscribe(listener: LedgerListener): () => void {
    // A wrapper is another object each time, so that one function can be subscribed twice.
    const own: LedgerListener = (event) => listener(event);
    this.#listeners = new Set([...this.#listeners, own]);
    return () => {
      this.#listeners = new Set([...this.#listeners].filter((each) => each !== own));
    };
  }

  /** Whether everything that happened is durable and told. Where nobody listens, nothing waits to be told. */
  get isQuiet(): boolean {
    return this.#waiting.length === 0;
  }

  /** What has changed and is not told yet, in the order in which it did. */
  *untold(): Iterable<AccountChange> {
    for (const { event } of this.#waiting) yield* event.changes;
  }

  /** Something happened. Returns what is to be called once it is durable. */
  announce(event: LedgerEvent): () => void {
    if (this.#listeners.size === 0) return () => undefined;
    const waiting: Waiting = { event, listeners: this.#listeners, isDurable: false };
    this.#waiting.push(waiting);
    return () => {
      waiting.isDurable = true;
      while (this.#waiting[0]?.isDurable === true) this.#tell(this.#waiting.shift() as Waiting);
    };
  }

  #tell({ event, listeners }: Waiting): void {
    for (const listener of listeners) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(event);
      } catch (error) {
        // What happened has happened; it must not look like a failure to the one who did it.
        this.#logger.error({ err: error }, 'a listener to the ledger failed');
      }
    }
  }
}
