import { TracelessError } from '../../errors/service-error.ts';

/** One HTTP exchange with an upstream. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** May contain API keys: never put it into a message, a log line or an error. */
  readonly url: URL;
  /** JSON text of a POST; null for a GET. */
  readonly body: string | null;
  /** From connecting to the last byte, ms. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /**
   * Whether a keep-alive connection may be used. The server may be closing it at that moment, which leaves
   * open whether the request arrived, so a request that must not be repeated gets a connection of its own.
   */
  readonly mayReuseConnection: boolean;
  /** Limits how many long answers are read at a time; default none. */
  readonly longAnswer?: LongAnswer | undefined;
}

/** A slot that a long answer needs before the rest of it is read. Its time limit then restarts. */
export interface LongAnswer {
  /** Answers with more bytes are long. */
  readonly beyond: number;
  /** Resolves when reading may continue. A rejection ends the exchange. */
  enter(): Promise<void>;
}

/** The head of an HTTP answer. */
interface UpstreamHead {
  readonly status: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
}

/** An HTTP answer of any status. Its body is decoded on first use. */
export interface UpstreamAnswer extends UpstreamHead {
  readonly chunks: readonly Buffer[];
  readonly byteCount: number;
  readonly body: string;
}

/** Creates an answer from the chunks of its body. */
export const answerInChunks = (
  head: UpstreamHead,
  chunks: readonly Buffer[],
  byteCount: number,
): UpstreamAnswer => ({
  ...head,
  chunks,
  byteCount,
  get body() {
    return Buffer.concat(chunks, byteCount).toString();
  },
});

/** The HTTP client behind an upstream. Redirects are returned like any other answer and not followed. */
export interface Transport {
  /** @throws {TransportFault} if no complete answer arrives. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Closes all connections. */
  close(): void;
}

/**
 * - `unreachable`: no connection could be made.
 * - `broken-off`: the connection ended before the answer was complete.
 * - `timed-out`, `too-large`: a limit of the request was exceeded.
 * - `forbidden-address`: the host name resolves to an address that callers must not make the service talk to.
 */
export type TransportFaultKind =
  | 'unreachable'
  | 'broken-off'
  | 'timed-out'
  | 'too-large'
  | 'forbidden-address';

/**
 * Why there is no answer. It carries no message and no cause, since system errors name hosts and addresses.
 */
export class TransportFault extends TracelessError {
  override readonly name = 'TransportFault';
  readonly kind: TransportFaultKind;
  /** The system error code (ECONNREFUSED, CERT_HAS_EXPIRED, ...), if there was one. */
  readonly systemCode: string | undefined;

  constructor(kind: TransportFaultKind, systemCode?: string) {
    super(kind);
    this.kind = kind;
    this.systemCode = systemCode;
  }
}

/**
 * User and password of a URL in the form of HTTP basic authentication (RFC 7617): the base64 of
 * `user:password` without percent-encoding. Null for a URL with neither.
 *
 * @throws {URIError} if the percent-encoding is invalid.
 */
export function basicCredentialsOf({ username, password }: URL): string | null {
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return user === ':' ? null : Buffer.from(user).toString('base64');
}
