/** One HTTP exchange with an upstream. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** May carry keys: it must not get into a message, a log line or an error. */
  readonly url: URL;
  /** JSON text of a POST; null for a GET. */
  readonly body: string | null;
  /** For everything from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /**
   * Whether a kept connection may serve. The other side may be closing a kept one at that moment, which
   * leaves open whether the request arrived: what must not be repeated takes a connection of its own.
   */
  readonly mayReuseConnection: boolean;
}

/** What came back, whatever its status. */
export interface UpstreamAnswer {
  readonly status: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
  readonly body: string;
}

/** How upstreams are reached. Redirects are answers like any other and are not followed. */
export interface Transport {
  /** @throws {TransportFault} when there is no whole answer. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Drops all connections. */
  close(): void;
}

/**
 * - `unreachable`: there was no connection.
 * - `broken-off`: the connection ended before the answer did.
 * - `timed-out`, `too-large`: a bound of the request was passed.
 * - `forbidden-address`: the host's name leads to an address that callers must not make the service talk to.
 */
export type TransportFaultKind =
  | 'unreachable'
  | 'broken-off'
  | 'timed-out'
  | 'too-large'
  | 'forbidden-address';

/** Why there is no answer. It has no cause and no words: the system's own errors name hosts and addresses. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault';
  readonly kind: TransportFaultKind;
  /** The system's code (ECONNREFUSED, CERT_HAS_EXPIRED, ...) where it gave one. */
  readonly systemCode: string | undefined;

  constructor(kind: TransportFaultKind, systemCode?: string) {
    super(kind);
    this.kind = kind;
    this.systemCode = systemCode;
  }
}
