import { HTTP_LIMITS } from './limits.ts';

/** Of `HTTP_LIMITS`. */
type QueueLimits = { readonly [Name in 'queuedBytesMax' | 'writeStallTimeoutMs']: number };

/**
 * Bounds the requests that one server works on at once, and the answers that clients have not taken yet. A request enters
 * when its body has been read, so that slow clients do not take the places of others, and leaves when its answer has
 * been taken (`leaveWhenTaken`).
 */
export class InFlight {
  readonly max: number;
  readonly #limits: QueueLimits;
  #count = 0;
  #queuedBytes = 0;
  #refused = 0;

  constructor(max: number = HTTP_LIMITS.inFlightMax, limits: Partial<QueueLimits> = {}) {
    this.max = max;
    this.#limits = { ...HTTP_LIMITS, ...limits };
  }

  /** How many have entered and not left. */
  get count(): number {
    return this.#count;
  }

  /** How long a client may take nothing of an answer that waits for it, ms. */
  get writeStallTimeoutMs(): number {
    return this.#limits.writeStallTimeoutMs;
  }

  /** Bytes of answers that wait for their clients. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** How many were turned away so far. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether there is room for one more, which has then entered. */
  tryEnter(): boolean {
    if (this.#count >= this.max || this.#queuedBytes >= this.#limits.queuedBytesMax) {
      this.#refused += 1;
      return false;
    }
    this.#count += 1;
    return true;
  }

  leave(): void {
    this.#count -= 1;
  }

  /** An answer waits for its client. */
  queue(answerBytes: number): void {
    this.#queuedBytes += answerBytes;
  }

  /** It does no more. */
  unqueue(answerBytes: number): void {
    this.#queuedBytes -= answerBytes;
  }
}
