/** The limits of the WebSocket server. */
export const PUBSUB_LIMITS = {
  /**
   * Bytes of a message from a client (Agave `rpc_pubsub_service.rs`, `set_max_message_size`). Longer ones end
   * it: 1009.
   */
  messageBytesMax: 4_096,
  /**
   * Connections at a time, of all listeners: as many as a port for nothing else takes, and those on the port
   * for requests (`HTTP_LIMITS`). Further handshakes are answered with 503.
   */
  connectionsMax: 1_024 + 512,
  /** What one connection may subscribe to at a time. */
  subscriptionsPerConnectionMax: 10_000,
  /** Subscriptions of all connections together (Agave allows 1,000,000; one takes about 6 KB here). */
  subscriptionsMax: 100_000,
  /**
   * Different subscriptions to programs, by filters and encodings, that one connection may have at a time.
   * Each of them looks at every change of its program's accounts, while others are found by an index.
   */
  programFeedsPerConnectionMax: 100,
  /** The same of all connections together. */
  programFeedsMax: 5_000,
  /**
   * A client with more than so many bytes still to be sent to it is too slow: it gets nothing more and ends
   * with 1013.
   */
  queuedBytesMax: 1024 * 1024,
  /** How often a connection is pinged, ms. One that has not been heard of since the ping before is cut. */
  pingIntervalMs: 30_000,
  /** How long the other side of a closing connection may take to answer before it is cut, ms. */
  closeTimeoutMs: 1_000,
  /**
   * How long after its answer a subscription is told what happened before, ms. Clients listen for the
   * notifications of a subscription once they have read its id, and lose those that come with the same read
   * (kit 8 and web3.js 1 do).
   */
  pastDelayMs: 10,
  /**
   * Slots that are told at once when the node was held up; those before them are left out. As old as a
   * blockhash gets.
   */
  slotsAtOnceMax: 150,
} as const;

export type PubSubLimits = { readonly [Name in keyof typeof PUBSUB_LIMITS]: number };
