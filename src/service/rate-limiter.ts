import type { Clock } from '../ports/clock.ts';

/** Maximum number of tracked clients. The least recently active one is dropped first. */
const CLIENTS_MAX = 10_000;

/** The allowance of one client. */
interface RateLimit {
  /** Sustained rate, more than 0. */
  readonly requestsPerSecond: number;
  /** Maximum number of requests in a burst, at least 1. */
  readonly burst: number;
}

interface RateVerdict {
  readonly isAllowed: boolean;
  /** Seconds until the next request is allowed; 0 if this request is allowed. */
  readonly retryAfterSeconds: number;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): name, value, name, value. */
  readonly headers: readonly string[];
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Limits requests with a token bucket per client. A bucket holds one burst and refills evenly. The number of
 * buckets is limited, so a flood from many addresses uses limited memory.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #clientsMax: number;
  readonly #policy: string;
  /** Buckets by client, the least recently active one first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock, clientsMax = CLIENTS_MAX) {
    this.#limit = limit;
    this.#clock = clock;
    this.#clientsMax = clientsMax;
    this.#policy = `"client";q=${limit.burst};w=${this.#secondsFor(limit.burst)}`;
  }

  /** Counts one request of `client`. */
  take(client: string): RateVerdict {
    const bucket = this.#fill(client);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    const remaining = Math.floor(bucket.tokens);
    const secondsToFull = this.#secondsFor(this.#limit.burst - bucket.tokens);
    return {
      isAllowed,
      retryAfterSeconds: isAllowed ? 0 : Math.max(1, this.#secondsFor(1 - bucket.tokens)),
      headers: ['ratelimit-policy', this.#policy, 'ratelimit', `"client";r=${remaining};t=${secondsToFull}`],
    };
  }

  /** Returns the client's bucket, refilled up to now and moved to the end of the table. */
  #fill(client: string): Bucket {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(client) ?? { tokens: this.#limit.burst, filledAt: now };
    // The wall clock may have moved backwards.
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    const { requestsPerSecond, burst } = this.#limit;
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * requestsPerSecond) / 1_000);
    bucket.filledAt = now;
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > this.#clientsMax) this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    const { value } = this.#buckets.keys().next();
    if (value !== undefined) this.#buckets.delete(value);
  }

  #secondsFor(tokens: number): number {
    return Math.ceil(tokens / this.#limit.requestsPerSecond);
  }
}
