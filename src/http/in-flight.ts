import { HTTP_LIMITS } from './limits.ts';
import { Shares } from './shares.ts';

/** Of `HTTP_LIMITS`. */
type QueueLimits = { readonly [Name in 'queuedBytesMax' | 'writeStallTimeoutMs']: number };

/**
 * Limits the requests in progress on one server, and the answers clients have not read yet. A request enters
 * once its body is read, so slow senders take no place, and leaves once its answer is read
 * (`leaveWhenTaken`). A client that takes everything leaves room for others (`Shares`).
 */
export class InFlight {
  /** How long a client may read nothing of a waiting answer, ms. */
  readonly writeStallTimeoutMs: number;
  readonly #requests: Shares;
  readonly #queued: Shares;
  #refused = 0;

  constructor(max: number = HTTP_LIMITS.inFlightMax, limits: Partial<QueueLimits> = {}) {
    const { queuedBytesMax, writeStallTimeoutMs } = { ...HTTP_LIMITS, ...limits };
    this.writeStallTimeoutMs = writeStallTimeoutMs;
    this.#requests = new Shares(max);
    this.#queued = new Shares(queuedBytesMax);
  }

  /** Requests in flight allowed in total. */
  get max(): number {
    return this.#requests.max;
  }

  /** Requests in flight. */
  get count(): number {
    return this.#requests.taken;
  }

  /** Bytes of answers not read yet. */
  get queuedBytes(): number {
    return this.#queued.taken;
  }

  /** Requests refused so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Enters a request if there is room; false if not.
   *
   * @param client what stands for it in a table of addresses (`clientOf`).
   */
  tryEnter(client: string): boolean {
    if (!this.#requests.hasRoomFor(client) || !this.#queued.hasRoomFor(client)) {
      this.#refused += 1;
      return false;
    }
    this.#requests.take(client);
    return true;
  }

  leave(client: string): void {
    this.#requests.giveBack(client);
  }

  /** Counts an answer the client has not read. */
  queue(client: string, answerBytes: number): void {
    this.#queued.take(client, answerBytes);
  }

  /** Removes it again. */
  unqueue(client: string, answerBytes: number): void {
    this.#queued.giveBack(client, answerBytes);
  }
}
