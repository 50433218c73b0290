import type { Clock } from '../../ports/clock.ts';
import type { LatestBlockhash } from '../chain.ts';
import type { Timer } from '../../ports/timer.ts';
import { MEMORY_MS } from './slot-floor.ts';

/** Maximum age of a returned blockhash, in ms. */
export const AGE_MAX_MS = 5_000;
/** Period of the background refresh, in ms. */
export const REFRESH_MS = 2_000;
/** Duration of the background refresh after the last use, in ms. */
export const WARM_MS = 30_000;

/**
 * Maximum time an upstream may return the same blockhash, in ms. After that it counts as stuck. This is half
 * the lifetime of a blockhash, which is 150 blocks (Agave `MAX_PROCESSING_AGE`) of 400 ms.
 */
export const STANDSTILL_MS = 30_000;

/** Maximum number of blocks by which a blockhash may be behind a recent one: half of its lifetime. */
export const LAG_BLOCKS_MAX = 75;

/** Reads a blockhash from the ledger. An answer counts only if `isUsable` accepts it. */
type ReadBlockhash = (
  token: string | undefined,
  isUsable: (answer: LatestBlockhash) => boolean,
) => Promise<LatestBlockhash>;

/**
 * The newest blockhash of one ledger. It is refreshed in the background while it is in use, because building
 * a transaction should not wait for the network. Failures are not cached.
 *
 * All callers share the blockhash, even if it was read with one caller's token. The token itself is not
 * stored, and background reads use none.
 */
export class FreshBlockhash {
  readonly #read: ReadBlockhash;
  readonly #clock: Clock;
  readonly #timer: Timer;
  /** Reads in flight, by token. */
  readonly #underWay = new Map<string | undefined, Promise<LatestBlockhash>>();
  #known: { readonly answer: LatestBlockhash; readonly requestedAt: number } | undefined;
  /** The newest blockhash, and the time of its first read. */
  #newest = { blockhash: '', firstReadAt: 0 };
  /** The highest block height of a blockhash, and the time of its last read. */
  #highest = { height: 0, readAt: 0 };
  #usedAt = 0;
  #cancelRefresh: (() => void) | undefined;
  #isClosed = false;

  constructor(read: ReadBlockhash, clock: Clock, timer: Timer) {
    this.#read = read;
    this.#clock = clock;
    this.#timer = timer;
  }

  /** @throws the error from the ledger read. */
  async get(token: string | undefined): Promise<LatestBlockhash> {
    // Only calls without a token keep the refresh running, because background reads have no token.
    if (token === undefined) {
      this.#usedAt = this.#clock.now();
      this.#refreshLater();
    }
    const ageMs = this.#known === undefined ? Infinity : this.#clock.now() - this.#known.requestedAt;
    // A negative age means that the clock was set back.
    if (this.#known !== undefined && ageMs >= 0 && ageMs <= AGE_MAX_MS) return this.#known.answer;
    return this.#readOnce(token);
  }

  /** Stops the background refresh. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRefresh?.();
  }

  #readOnce(token: string | undefined): Promise<LatestBlockhash> {
    const underWay = this.#underWay.get(token);
    if (underWay !== undefined) return underWay;
    // The age counts from the request, because the answer may have taken long.
    const requestedAt = this.#clock.now();
    const reading = this.#read(token, (read) => this.#isCurrent(read))
      .then((answer) => {
        // A slow answer must not replace the answer to a later request.
        if (this.#known === undefined || this.#known.requestedAt <= requestedAt)
          this.#known = { answer, requestedAt };
        return answer;
      })
      .finally(() => this.#underWay.delete(token));
    this.#underWay.set(token, reading);
    return reading;
  }

  /**
   * Whether the ledger still produces blocks, and the blockhash is not far behind earlier ones. The height is
   * forgotten after {@link MEMORY_MS}, so a ledger that was reset is accepted again.
   */
  #isCurrent({ blockhash, lastValidBlockHeight: height }: LatestBlockhash): boolean {
    const now = this.#clock.now();
    if (blockhash !== this.#newest.blockhash) this.#newest = { blockhash, firstReadAt: now };
    if (height >= this.#highest.height || now - this.#highest.readAt > MEMORY_MS)
      this.#highest = { height, readAt: now };
    const isMoving = now - this.#newest.firstReadAt <= STANDSTILL_MS;
    return isMoving && this.#highest.height - height <= LAG_BLOCKS_MAX;
  }

  #refreshLater(): void {
    if (this.#cancelRefresh !== undefined || this.#isClosed) return;
    this.#cancelRefresh = this.#timer.after(REFRESH_MS, () => {
      this.#cancelRefresh = undefined;
      if (this.#clock.now() - this.#usedAt > WARM_MS) return;
      // Ignore a failed refresh: the next caller reads again and gets the error.
      this.#readOnce(undefined).catch(() => {});
      this.#refreshLater();
    });
  }
}
