import { HTTP_LIMITS } from './limits.ts';

/**
 * A quantity that clients share, such as places or bytes. Any client may take from it until `max` is reached.
 * An extra quarter is reserved for clients that hold almost nothing, so one client cannot block the others.
 */
export class Shares {
  readonly max: number;
  /** The amount beyond `max` for clients that hold less than {@link #little}. */
  readonly #reserve: number;
  readonly #little: number;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.max = max;
    this.#reserve = Math.ceil(max / 4);
    this.#little = Math.max(1, Math.floor(max / 64));
  }

  /** The amount that all clients hold. */
  get taken(): number {
    return this.#taken;
  }

  /** @param client key of the client (`clientOf`). */
  hasRoomFor(client: string): boolean {
    if (this.#taken < this.max) return true;
    return this.#taken < this.max + this.#reserve && (this.#byClient.get(client) ?? 0) < this.#little;
  }

  take(client: string, amount = 1): void {
    this.#taken += amount;
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + amount);
  }

  release(client: string, amount = 1): void {
    this.#taken -= amount;
    const left = (this.#byClient.get(client) ?? 0) - amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}

type QueueLimits = { readonly [Name in 'queuedBytesMax' | 'writeStallTimeoutMs']: number };

/**
 * Limits the requests in progress on one server and the bytes of responses that clients have not read yet. A
 * request enters once its body is read, so slow senders take no place. It leaves once its response is
 * delivered (`leaveWhenTaken`). One client cannot take all places (`Shares`).
 */
export class InFlight {
  /** Time after which a client that reads nothing of a queued response is disconnected, in ms. */
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

  /** Maximum number of requests in flight. */
  get max(): number {
    return this.#requests.max;
  }

  /** Number of requests in flight. */
  get count(): number {
    return this.#requests.taken;
  }

  /** Bytes of responses that clients have not read yet. */
  get queuedBytes(): number {
    return this.#queued.taken;
  }

  /** Number of requests rejected so far. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Enters a request. Returns false if there is no room.
   *
   * @param client key of the client (`clientOf`).
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
    this.#requests.release(client);
  }

  /** Adds the bytes of a queued response. */
  queue(client: string, answerBytes: number): void {
    this.#queued.take(client, answerBytes);
  }

  unqueue(client: string, answerBytes: number): void {
    this.#queued.release(client, answerBytes);
  }
}
