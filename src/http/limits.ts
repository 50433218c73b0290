import { CONNECTIONS_MAX, CONNECTIONS_PER_ADDRESS_DEFAULT } from '../config/connections.ts';

/** Limits every listener of the project has, whatever it serves. */
export const HTTP_LIMITS = {
  /** All request headers together, bytes. */
  headerBytesMax: 8 * 1024,
  headerCountMax: 100,
  /**
   * To the end of the headers, ms: from the accept of the connection, for later requests from their first
   * byte.
   */
  headersTimeoutMs: 5_000,
  /** From the first byte to the end of the body, ms. Node looks every second, so that 7 s is the most. */
  requestTimeoutMs: 6_000,
  /**
   * How long an idle connection is kept for the next request, ms: longer than the 60 s that proxies keep
   * theirs, so that it is not the listener that closes while a request is on its way. It is closed earlier
   * when the port is full.
   */
  keepAliveTimeoutMs: 65_000,
  connectionsMax: CONNECTIONS_MAX,
  /** Of those, from one address by default. */
  connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_DEFAULT,
  /**
   * Connections that the system holds until they are accepted (Linux `net.core.somaxconn`, which bounds it
   * too).
   */
  backlog: 4_096,
  /**
   * Connections of a listener for requests that may be WebSockets: half, as they may idle for good while
   * others ask.
   */
  upgradedMax: 512,
  /**
   * Requests that are worked on or wait for it: half of the connections, so that the others can be told to
   * come back.
   */
  inFlightMax: 512,
  /** How long in-flight requests may take to finish once the server closes, ms. */
  drainTimeoutMs: 10_000,
  /** How long clients that have connected are let in before the port is closed, ms. */
  lettingInMs: 2_000,
  /**
   * How long connections have to have been quiet at the end before they are closed, ms: a request may be on
   * its way.
   */
  lastRequestsMs: 100,
  /** How long a refused client may go on sending before its connection is closed, ms. */
  lingerTimeoutMs: 2_000,
  /**
   * Longest answer to one JSON-RPC call, characters. Once those to the calls of a batch are as long together,
   * no further call of it is run, so that a body is shorter than two of them: a quarter of the longest string
   * V8 makes (2^29 - 24).
   */
  answerLengthMax: 64 * 1024 * 1024,
  /** Bytes of answers that clients have not taken yet; while there are more, further requests are refused. */
  queuedBytesMax: 256 * 1024 * 1024,
  /** How long a client may take nothing of an answer that waits for it before its connection is cut, ms. */
  writeStallTimeoutMs: 15_000,
  /** How long requests are worked on in a row before answers are written and sockets are read again, ms. */
  turnMs: 20,
  /**
   * The same while more than one client is heard, ms: about what one of them may wait for the others'
   * requests.
   */
  sharedTurnMs: 1,
  /** How long two clients count as heard after the one was heard after the other, ms. */
  sharedForMs: 10_000,
  /**
   * How long a scan goes on in a row before others have their turn, ms: what each of their requests may wait
   * for it.
   */
  scanTurnMs: 1,
  /** Scans that go on at a time; each keeps references to all it looks through, and its answer. */
  scansAtOnceMax: 2,
  /** Scans that wait until one of those is over; the ones beyond are told to come back. */
  scansWaitingMax: 64,
} as const;
