/** Who asks: no one with a token of base, no one with a token of the rollup, or the owner of what is asked for. */
export type Viewpoint = 'base' | 'anyone' | 'owner';

export type Ledger = 'base' | 'rollup';

/** Whether events come at once, or are asked for now and then since the connection was lost. */
export interface Feed {
  readonly following: boolean;
  readonly behindSeconds: number;
}

/**
 * One way of asking the ledgers. A view is a pure function of the answers of one reader; no two readers share an
 * answer.
 */
export interface Reader {
  readonly as: Viewpoint;
  /** The ledgers that it calls. */
  readonly ledgers: readonly Ledger[];
  /**
   * Calls the ledger every time. All calls of one turn share one HTTP request per ledger.
   *
   * @throws {Error} with the ledger's words if it refuses or does not answer.
   */
  call<T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * The same for what never changes: what was answered before is not asked again, but for null.
   *
   * @throws {Error} as `call` does.
   */
  known<T>(ledger: Ledger, method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * @param onEvent gets what each notification tells, and undefined where it is time to ask by oneself: now and
   *   then as long as the feed is lost, and once it follows again, for what happened in between.
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
