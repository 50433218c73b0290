/** Limits every listener of the project has, whatever it serves. */
export const HTTP_LIMITS = {
  /** All request headers together, bytes. */
  headerBytesMax: 8 * 1024,
  headerCountMax: 100,
  /** From the connection's first byte to the end of the headers, ms. */
  headersTimeoutMs: 5_000,
  /** From the first byte to the end of the body, ms. */
  requestTimeoutMs: 15_000,
  /** How long an idle connection is kept for the next request, ms. */
  keepAliveTimeoutMs: 5_000,
  connectionsMax: 1_024,
  /** Requests that are worked on or wait for it: half of the connections, so that the others can be told to come back. */
  inFlightMax: 512,
  /** How long in-flight requests may take to finish once the server closes, ms. */
  drainTimeoutMs: 10_000,
  /** How long a refused client may go on sending before its connection is closed, ms. */
  lingerTimeoutMs: 2_000,
} as const;
