import { HTTP_LIMITS } from './limits.ts';
import { Shares } from './shares.ts';

/** Of `HTTP_LIMITS`. */
type QueueLimits = { readonly [Name in 'queuedBytesMax' | 'writeStallTimeoutMs']: number };

/**
 * Bounds the requests that one server works on at once, and the answers that clients have not taken yet. A request enters
 * when its body has been read, so that slow clients do not take the places of others, and leaves when its answer has
 * been taken (`leaveWhenTaken`). A client that takes all there is does not keep out those that have little (`Shares`).
 */
export class InFlight {
  /** How long a client may take nothing of an answer that waits for it, ms. */
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

  /** How many anybody may have in flight together. */
  get max(): number {
    return this.#requests.max;
  }

  /** How many have entered and not left. */
  get count(): number {
    return this.#requests.taken;
  }

  /** Bytes of answers that wait for their clients. */
  get queuedBytes(): number {
    return this.#queued.taken;
  }

  /** How many were turned away so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Whether there is room for one more, which has then entered.
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

  /** An answer waits for its client. */
  queue(client: string, answerBytes: number): void {
    this.#queued.take(client, answerBytes);
  }

  /** It does no more. */
  unqueue(client: string, answerBytes: number): void {
    this.#queued.giveBack(client, answerBytes);
  }
}
