import { TracelessError } from '../../errors/traceless-error.ts';

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
  /** Whom a long answer waits for; by default it is read at once. */
  readonly longAnswer?: LongAnswer | undefined;
}

/** A place that a long answer needs to be read on. Its time limit begins anew when it has it. */
export interface LongAnswer {
  /** From how many bytes on it is long. */
  readonly beyond: number;
  /** Resolves when it may be read on. What it rejects with ends the exchange. */
  enter(): Promise<void>;
}

/** The head of an HTTP answer. */
interface UpstreamHead {
  readonly status: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
}

/** An HTTP answer, whatever its status. Its body is put together when it is asked for. */
export interface UpstreamAnswer extends UpstreamHead {
  readonly chunks: readonly Buffer[];
  readonly byteCount: number;
  readonly body: string;
}

/** An answer whose body came in chunks. */
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
