import type { Clock } from '../../ports/clock.ts';
import type { LatestBlockhash } from '../chain.ts';
import type { Timer } from '../../ports/timer.ts';

/** A blockhash that was read longer ago is not returned, ms. */
export const AGE_MAX_MS = 5_000;
/** Period of the background refresh, ms. */
export const REFRESH_MS = 2_000;
/** How long the background refresh continues after the last use, ms. */
export const WARM_MS = 30_000;

/**
 * How long an upstream may return the same blockhash, ms. Blocks come every 400 ms and a blockhash is valid
 * for 150 of them (Agave `MAX_PROCESSING_AGE`), about 60 s. After half of that the upstream counts as stuck.
 */
export const STANDSTILL_MS = 30_000;
/** Reads a blockhash from the ledger. An answer counts only if `isUsable` accepts it. */
type ReadBlockhash = (
  token: string | undefined,
  isUsable: (answer: LatestBlockhash) => boolean,
) => Promise<LatestBlockhash>;

/**
 * The newest blockhash of one ledger, refreshed in the background while it is in use, so that building a
 * transaction does not wait for the network. Failures are not cached.
 *
 * A blockhash is the same for all callers, so one read with a caller's token serves the others too. The token
 * itself is not stored, and background reads go without one.
 */
export class FreshBlockhash {
  readonly #read: ReadBlockhash;
  readonly #clock: Clock;
  readonly #timer: Timer;
  /** Reads in flight, by token. */
  readonly #underWay = new Map<string | undefined, Promise<LatestBlockhash>>();
  #known: { readonly answer: LatestBlockhash; readonly requestedAt: number } | undefined;
  /** The newest blockhash that was read, and when it was read first. */
  #newest = { blockhash: '', firstReadAt: 0 };
  #usedAt = 0;
  #cancelRefresh: (() => void) | undefined;
  #isClosed = false;

  constructor(read: ReadBlockhash, clock: Clock, timer: Timer) {
    this.#read = read;
    this.#clock = clock;
    this.#timer = timer;
  }

  /** @throws whatever the read of the ledger throws. */
  async get(token: string | undefined): Promise<LatestBlockhash> {
    // Only use without a token keeps the refresh going, as the background reads have none.
    if (token === undefined) {
      this.#usedAt = this.#clock.now();
      this.#refreshLater();
    }
    const ageMs = this.#known === undefined ? Infinity : this.#clock.now() - this.#known.requestedAt;
    // After the clock was set back the age is negative and proves nothing.
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
    // The age counts from the request: the answer may have been on its way for long.
    const requestedAt = this.#clock.now();
    const reading = this.#read(token, ({ blockhash }) => this.#isMoving(blockhash))
      .then((answer) => {
        // A slow answer must not replace that of a later request.
        if (this.#known === undefined || this.#known.requestedAt <= requestedAt)
          this.#known = { answer, requestedAt };
        return answer;
      })
      .finally(() => this.#underWay.delete(token));
    this.#underWay.set(token, reading);
    return reading;
  }

  /** Whether the ledger still produces blocks, based on the blockhash it has just returned. */
  #isMoving(blockhash: string): boolean {
    const now = this.#clock.now();
    if (blockhash !== this.#newest.blockhash) this.#newest = { blockhash, firstReadAt: now };
    return now - this.#newest.firstReadAt <= STANDSTILL_MS;
  }

  #refreshLater(): void {
    if (this.#cancelRefresh !== undefined || this.#isClosed) return;
    this.#cancelRefresh = this.#timer.after(REFRESH_MS, () => {
      this.#cancelRefresh = undefined;
      if (this.#clock.now() - this.#usedAt > WARM_MS) return;
      // A failed refresh is dropped: the next caller reads again and gets its error.
      this.#readOnce(undefined).catch(() => {});
      this.#refreshLater();
    });
  }
}
