import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_DEFAULT } from '../config/exposure.ts';

/** Limits of every listener of the project. */
export const HTTP_LIMITS = {
  /** All request headers together, bytes. */
  headerBytesMax: 8 * 1024,
  headerCountMax: 100,
  /** Time limit for the request head, ms: from the accept, for later requests from the first byte. */
  headersTimeoutMs: 5_000,
  /** Time limit from first byte to end of body, ms. Node checks every second, so it can take 7 s. */
  requestTimeoutMs: 6_000,
  /**
   * How long an idle connection stays open, ms. Longer than the 60 s of common proxies, so that the listener
   * does not close a connection while a request is on its way. Connections close earlier when the port is
   * full.
   */
  keepAliveTimeoutMs: 65_000,
  connectionsMax: CONNECTIONS_MAX,
  /** Default maximum for one address. */
  connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_DEFAULT,
  /** Connections that the system queues until they are accepted. Linux caps it at `net.core.somaxconn`. */
  backlog: 4_096,
  /** Maximum number of WebSockets: half of the connections, because they may stay idle for long. */
  upgradedMax: 512,
  /** Maximum requests in progress: half of the connections, so the others still get an error response. */
  inFlightMax: 512,
  /** How long requests in progress may take once the server closes, ms. */
  drainTimeoutMs: 10_000,
  /** How long the server accepts already connected clients before it closes the port, ms. */
  lettingInMs: 2_000,
  /** How long all connections must be quiet before closing, ms: a request may be on its way. */
  lastRequestsMs: 100,
  /** How long a rejected client may continue to send before its connection is closed, ms. */
  lingerTimeoutMs: 2_000,
  /**
   * Longest result of one JSON-RPC call, characters. A batch that reaches this length runs no further calls,
   * so a body is at most twice as long: a quarter of V8's longest string (2^29 - 24).
   */
  answerLengthMax: 64 * 1024 * 1024,
  /** Maximum bytes of responses that clients have not read. Above it, requests are rejected. */
  queuedBytesMax: 256 * 1024 * 1024,
  /** How long a client may read nothing of a queued response before it is disconnected, ms. */
  writeStallTimeoutMs: 15_000,
  /** How long requests run before responses are written and sockets are read, ms. */
  turnMs: 20,
  /** The same while several clients are active, ms. About the time one of them waits for the others. */
  sharedTurnMs: 1,
  /** How long several clients count as active after the last change between clients, ms. */
  sharedForMs: 10_000,
  /** How long a scan runs before it yields to other requests, ms. */
  scanTurnMs: 1,
  /** Scans that run at the same time. Each holds references to the accounts it reads, and its result. */
  scansAtOnceMax: 2,
  /** Scans that wait for a place. Further ones are rejected. */
  scansWaitingMax: 64,
} as const;
