import type { Dispatcher } from 'undici';
import {
  answerInChunks,
  TransportFault,
  type LongAnswer,
  type UpstreamAnswer,
  type UpstreamRequest,
} from './transport.ts';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * One request and its answer, which it keeps within the request's limits of time and size. A redirect is an
 * answer like any other.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timeoutMs: number;
  readonly #longAnswer: LongAnswer | undefined;
  #deadline: NodeJS.Timeout;
  #isLong = false;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #fault: Error | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #byteCount = 0;

  constructor(
    { timeoutMs, answerBytesMax, longAnswer }: UpstreamRequest,
    resolve: (answer: UpstreamAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#bytesMax = answerBytesMax;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timeoutMs = timeoutMs;
    this.#longAnswer = longAnswer;
    this.#deadline = this.#startDeadline();
  }

  #startDeadline(): NodeJS.Timeout {
    return setTimeout(() => this.#fail(new TransportFault('timed-out')), this.#timeoutMs);
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

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#byteCount += chunk.length;
    if (this.#byteCount > this.#bytesMax) {
      this.#fail(new TransportFault('too-large'));
      return;
    }
    this.#chunks.push(chunk);
    const { beyond = Infinity } = this.#longAnswer ?? {};
    if (!this.#isLong && this.#byteCount > beyond) this.#waitForPlace(controller);
  }

  /** What waits is left with the system, which has the sender wait. */
  #waitForPlace(controller: Dispatcher.DispatchController): void {
    this.#isLong = true;
    controller.pause();
    clearTimeout(this.#deadline);
    this.#longAnswer?.enter().then(
      () => {
        if (this.#fault !== null) return;
        this.#deadline = this.#startDeadline();
        controller.resume();
      },
      (error: Error) => this.#fail(error),
    );
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const head = { status: this.#status, retryAfter: this.#retryAfter };
    this.#resolve(answerInChunks(head, this.#chunks, this.#byteCount));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(asFault(error));
  }

  #fail(fault: Error): void {
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
