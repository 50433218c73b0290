import type { Dispatcher } from 'undici';
import { answerInChunks, TransportFault, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * One request and its answer, which it keeps within the request's limits of time and size. A redirect is an
 * answer like any other.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (fault: TransportFault) => void;
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #fault: TransportFault | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #byteCount = 0;

  constructor(
    { timeoutMs, answerBytesMax }: UpstreamRequest,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (fault: TransportFault) => void,
  ) {
    this.#bytesMax = answerBytesMax;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = setTimeout(() => this.#fail(new TransportFault('timed-out')), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Its time ran out while it waited for a connection: it is not sent any more.
    if (this.#fault !== null) controller.abort(this.#fault);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.#status = status;
    this.#retryAfter = onlyOne(headers['retry-after']);
    if (Number(onlyOne(headers['content-length'])) > this.#bytesMax)
      this.#fail(new TransportFault('too-large'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length;
    if (this.#byteCount > this.#bytesMax) this.#fail(new TransportFault('too-large'));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const head = { status: this.#status, retryAfter: this.#retryAfter };
    this.#resolve(answerInChunks(head, this.#chunks, this.#byteCount));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(asFault(error));
  }

  #fail(fault: TransportFault): void {
    if (this.#fault !== null) return;
    this.#fault = fault;
    clearTimeout(this.#deadline);
    this.#reject(fault);
    this.#controller?.abort(fault);
  }
}

const onlyOne = (header: string | readonly string[] | undefined): string | null =>
  (typeof header === 'string' ? header : header?.[0]) ?? null;

/** System error codes of an established connection that was lost. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

function asFault(error: NodeJS.ErrnoException): TransportFault {
  if (error instanceof TransportFault) return error;
  const { name, code = '' } = error;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new TransportFault('timed-out');
  // undici's own errors are about a connection that is there. That of its parser has no code.
  const isLost = code.startsWith('UND_ERR_') || name === 'HTTPParserError' || BROKEN_OFF.has(code);
  return new TransportFault(isLost ? 'broken-off' : 'unreachable', error.code);
}
