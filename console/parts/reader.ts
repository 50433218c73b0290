/** The reader: everyone on base, anyone on the rollup without a token, or the owner with a token. */
export type Viewpoint = 'base' | 'anyone' | 'owner';

export type Ledger = 'base' | 'rollup';

/** The state of an event feed: live, or polling after the connection was lost. */
export interface Feed {
  readonly following: boolean;
  readonly behindSeconds: number;
}

/** Reads the ledgers as one viewpoint. A view uses only one reader, and readers never share answers. */
export interface Reader {
  readonly as: Viewpoint;
  /** The ledgers that it calls. */
  readonly ledgers: readonly Ledger[];
  /**
   * Calls the ledger. All calls of one event loop turn share one HTTP request per ledger.
   *
   * @throws {Error} with the ledger's message if the call fails.
   */
  call<T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * Calls the ledger for data that never changes. Caches every answer except null.
   *
   * @throws {Error} with the ledger's message if the call fails.
   */
  known<T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * Subscribes to notifications.
   *
   * @param onEvent called with each notification, and with undefined when the caller should reload: at
   *   intervals while the feed is lost, and once after it reconnects.
   * @returns a function that ends the subscription.
   */
  subscribe(
    ledger: Ledger,
    method: string,
    params: readonly unknown[],
    onEvent: (value: unknown) => void,
    onFeed?: (feed: Feed) => void,
  ): () => void;
}
