/** The limits of the WebSocket server. */
export const PUBSUB_LIMITS = {
  /**
   * Longest message from a client, bytes (Agave `rpc_pubsub_service.rs`, `set_max_message_size`). A longer
   * one closes the connection with 1009.
   */
  messageBytesMax: 4_096,
  /**
   * Connections at a time over all listeners: as many as a dedicated port accepts, plus those on the port for
   * requests (`HTTP_LIMITS`). Further handshakes are answered with 503.
   */
  connectionsMax: 1_024 + 512,
  /**
   * Subscriptions of all connections together. Clients with few subscriptions share another quarter
   * (`Shares`), 100,000 in total. Agave allows 1,000,000; here one takes about 6 KB.
   */
  subscriptionsMax: 80_000,
  /**
   * Different program subscriptions (by filters and encodings) of all connections together, 5,000 with the
   * quarter for clients with few. Each one examines every change to its program's accounts, while all other
   * kinds are found by an index.
   */
  programFeedsMax: 4_000,
  /** Calls of one connection that wait for their turn. Reading resumes when half of them are done. */
  waitingCallsMax: 64,
  /** A client with more unsent bytes than this is too slow: it is closed with 1013. */
  queuedBytesMax: 1024 * 1024,
  /** How often a connection is pinged, ms. It is cut if nothing was received since the previous ping. */
  pingIntervalMs: 30_000,
  /** How long the other side of a closing connection may take to answer before it is cut, ms. */
  closeTimeoutMs: 1_000,
  /**
   * Delay between a subscription's answer and its notification of a past event, ms. Clients (kit 8 and
   * web3.js 1) start to listen after they have read the subscription id, and lose notifications that arrive
   * in the same read.
   */
  pastDelayMs: 10,
  /**
   * Maximum number of slots reported at once after a delay of the node; earlier ones are skipped. Equals the
   * validity of a blockhash.
   */
  slotsAtOnceMax: 150,
} as const;

export type PubSubLimits = { readonly [Name in keyof typeof PUBSUB_LIMITS]: number };
