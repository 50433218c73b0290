import type { Clock } from '../../ports/clock.ts';
import type { LatestBlockhash } from '../chain.ts';
import type { Timer } from '../../ports/timer.ts';

/** A blockhash older than this is not given out. */
export const AGE_MAX_MS = 5_000;
/** How often it is read anew in the background. */
export const REFRESH_MS = 2_000;
/** For how long after it was last asked for. */
export const WARM_MS = 30_000;

/**
 * How long an upstream may answer with one and the same blockhash. Blocks come every 400 ms and a blockhash
 * is good for 150 of them (Agave `MAX_PROCESSING_AGE`), which is 60 s: after half of that the upstream stands
 * still.
 */
export const STANDSTILL_MS = 30_000;
/** How many blocks a blockhash may be behind another that was seen lately: half of its validity again. */
export const LAG_BLOCKS_MAX = 75;
/** For how long the highest block is remembered, so that a ledger that began anew is taken for what it is. */
export const MEMORY_MS = 60_000;

/** Asks the ledger; the answer is only good when `isUsable` says so. */
type ReadBlockhash = (
  token: string | undefined,
  isUsable: (answer: LatestBlockhash) => boolean,
) => Promise<LatestBlockhash>;

/**
 * The newest blockhash of one ledger, kept fresh in the background while it is being used, so that building a
 * transaction does not wait for the network. Failures are not kept.
 *
 * A blockhash is the same for all callers, so one that was read with a caller's token serves the others too;
 * the token itself is not kept, and nothing is read with it in the background.
 */
export class FreshBlockhash {
  readonly #read: ReadBlockhash;
  readonly #clock: Clock;
  readonly #timer: Timer;
  /** Reads under way, by the token they are made with. */
  readonly #underWay = new Map<string | undefined, Promise<LatestBlockhash>>();
  readonly #watch: BlockhashWatch;
  #known: { readonly answer: LatestBlockhash; readonly askedAt: number } | undefined;
  #usedAt = 0;
  #cancelRefresh: (() => void) | undefined;
  #isClosed = false;

  constructor(read: ReadBlockhash, clock: Clock, timer: Timer) {
    this.#read = read;
    this.#clock = clock;
    this.#timer = timer;
    this.#watch = new BlockhashWatch(clock);
  }

  /** @throws what the reading of the ledger throws. */
  async get(token: string | undefined): Promise<LatestBlockhash> {
    if (token === undefined) {
      this.#usedAt = this.#clock.now();
      this.#refreshLater();
    }
    const ageMs = this.#known === undefined ? Infinity : this.#clock.now() - this.#known.askedAt;
    // A clock that was set back makes the age negative, which says nothing.
    if (this.#known !== undefined && ageMs >= 0 && ageMs <= AGE_MAX_MS) return this.#known.answer;
    return this.#readOnce(token);
  }

  /** Ends the reading in the background. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRefresh?.();
  }

  #readOnce(token: string | undefined): Promise<LatestBlockhash> {
    const underWay = this.#underWay.get(token);
    if (underWay !== undefined) return underWay;
    const askedAt = this.#clock.now();
    const reading = this.#read(token, (answer) => this.#watch.isGood(answer))
      .then((answer) => {
        if (this.#known === undefined || this.#known.askedAt <= askedAt) this.#known = { answer, askedAt };
        return answer;
      })
      .finally(() => this.#underWay.delete(token));
    this.#underWay.set(token, reading);
    return reading;
  }

  #refreshLater(): void {
    if (this.#cancelRefresh !== undefined || this.#isClosed) return;
    this.#cancelRefresh = this.#timer.after(REFRESH_MS, () => {
      this.#cancelRefresh = undefined;
      if (this.#clock.now() - this.#usedAt > WARM_MS) return;
      // Who needs the blockhash next reads it again and is told what is wrong.
      this.#readOnce(undefined).catch(() => {});
      this.#refreshLater();
    });
  }
}

/** Tells by what was answered before which blockhashes are past their validity, or soon will be. */
class BlockhashWatch {
  readonly #clock: Clock;
  #blockhash = '';
  #firstSeenAt = 0;
  #highest = 0;
  #highestSeenAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isGood({ blockhash, lastValidBlockHeight }: LatestBlockhash): boolean {
    const now = this.#clock.now();
    if (blockhash !== this.#blockhash) {
      this.#blockhash = blockhash;
      this.#firstSeenAt = now;
    }
    if (lastValidBlockHeight >= this.#highest || now - this.#highestSeenAt > MEMORY_MS) {
      this.#highest = lastValidBlockHeight;
      this.#highestSeenAt = now;
    }
    const lagBlocks = this.#highest - lastValidBlockHeight;
    return now - this.#firstSeenAt <= STANDSTILL_MS && lagBlocks <= LAG_BLOCKS_MAX;
  }
}
