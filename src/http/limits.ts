import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_DEFAULT } from '../config/exposure.ts';

/** Limits of every listener of the project. */
export const HTTP_LIMITS = {
  /** Maximum size of all request headers together, in bytes. A payment in a header can take 16 KiB. */
  headerBytesMax: 24 * 1024,
  headerCountMax: 100,
  /** Time limit for the request head, in ms: from the connection, and later from the first byte. */
  headersTimeoutMs: 5_000,
  /** Time limit from first byte to end of body, in ms. Node checks every second, so it can take 7 s. */
  requestTimeoutMs: 6_000,
  /**
   * Time after which an idle connection closes, in ms. It exceeds the 60 s of common proxies, because a
   * connection must not close while a proxy sends a request. Connections close earlier if the server is full.
   */
  keepAliveTimeoutMs: 65_000,
  connectionsMax: CONNECTIONS_MAX,
  /** Default maximum number of connections per client address. */
  connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_DEFAULT,
  /** Maximum number of connections waiting to be accepted. Linux caps it at `net.core.somaxconn`. */
  backlog: 4_096,
  /** Maximum number of WebSockets: half of the connections, because WebSockets may stay idle for long. */
  upgradedMax: 512,
  /** Maximum number of requests in progress: half of the connections. Further requests get an error. */
  inFlightMax: 512,
  /** Time limit for requests in progress when the server closes, in ms. */
  drainTimeoutMs: 10_000,
  /** Time limit for accepting already connected clients before the port closes, in ms. */
  lettingInMs: 2_000,
  /** Quiet time of all connections before they close, in ms. A request may still be arriving. */
  lastRequestsMs: 100,
  /** Time limit for a rejected client to finish sending before its connection is closed, in ms. */
  lingerTimeoutMs: 2_000,
  /**
   * Maximum length of the result of one JSON-RPC call, in characters. A batch that reaches the limit runs no
   * further calls. A body is therefore at most twice as long, a quarter of V8's longest string (2^29 - 24).
   */
  answerLengthMax: 64 * 1024 * 1024,
  /** Maximum size of all responses that clients have not read, in bytes. Requests beyond it are rejected. */
  queuedBytesMax: 256 * 1024 * 1024,
  /** Time after which a client that reads nothing of a queued response is disconnected, in ms. */
  writeStallTimeoutMs: 15_000,
  /** Time limit for running requests before the server writes responses and reads sockets, in ms. */
  turnMs: 20,
  /** `turnMs` while several clients are active, in ms. One client waits about this long for the others. */
  sharedTurnMs: 1,
  /** Time for which several clients count as active after the last change of client, in ms. */
  sharedForMs: 10_000,
  /** Time after which a running scan yields to other requests, in ms. */
  scanTurnMs: 1,
  /** Maximum number of scans at the same time. Each scan keeps its result and its accounts in memory. */
  scansAtOnceMax: 2,
  /** Maximum number of waiting scans. Further scans are rejected. */
  scansWaitingMax: 64,
} as const;
