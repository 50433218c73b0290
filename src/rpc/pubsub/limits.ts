/** The limits of the WebSocket server. */
export const PUBSUB_LIMITS = {
  /**
   * Maximum size of a client's message, in bytes (Agave `rpc_pubsub_service.rs`, `set_max_message_size`). A
   * longer message closes the connection with 1009.
   */
  messageBytesMax: 4_096,
  /**
   * Maximum number of connections on both listeners, the dedicated port and the request port (`HTTP_LIMITS`).
   * Further handshakes get a 503.
   */
  connectionsMax: 1_024 + 512,
  /**
   * Maximum number of subscriptions on all connections. Clients with few subscriptions share an extra quarter
   * (`Shares`), 100,000 in total. Agave allows 1,000,000. One subscription takes about 6 KB here.
   */
  subscriptionsMax: 80_000,
  /**
   * Maximum number of different program subscriptions (by filters and encodings), or 5,000 with the extra
   * quarter for clients with few. Each subscription examines all changes to its program's accounts. An index
   * finds all other kinds.
   */
  programFeedsMax: 4_000,
  /** Number of waiting calls at which reading from a connection pauses. It resumes at half that number. */
  waitingCallsMax: 64,
  /** Maximum size of a client's unsent messages, in bytes. A slower client is disconnected with 1013. */
  queuedBytesMax: 1024 * 1024,
  /** Interval between pings, in ms. A client that sends nothing in between is disconnected. */
  pingIntervalMs: 30_000,
  /** Time after which a closing connection is terminated if the client does not answer, in ms. */
  closeTimeoutMs: 1_000,
  /**
   * Delay between a subscription's answer and the notifications that came before it, in ms. Clients (kit 8
   * and web3.js 1) start listening after they read the subscription id, and lose notifications that arrive in
   * the same read.
   */
  pastDelayMs: 10,
  /**
   * Maximum number of slots reported at once after a delay of the node. Earlier slots are skipped. The value
   * equals the lifetime of a blockhash.
   */
  slotsAtOnceMax: 150,
} as const;

export type PubSubLimits = { readonly [Name in keyof typeof PUBSUB_LIMITS]: number };
