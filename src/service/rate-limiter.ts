import type { Clock } from '../ports/clock.ts';

/** Maximum number of tracked clients. The least recently active client is dropped first. */
const CLIENTS_MAX = 10_000;

/** The allowance of one client. */
export interface RateLimit {
  /** Sustained rate, more than 0. */
  readonly requestsPerSecond: number;
  /** Maximum number of requests in a burst, at least 1. */
  readonly burst: number;
}

/** The decision on a request, and what the response says about the limit. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  /** Seconds until the next request is allowed; 0 if this request is allowed. */
  readonly retryAfterSeconds: number;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): name, value, name, value. */
  readonly headers: readonly string[];
}

/** Limits the requests of each client. */
export interface RequestLimiter {
  /**
   * Counts one request of `client`.
   *
   * @param own the client's own limit. Default: the limit of all clients.
   */
  take(client: string, own?: RateLimit): RateVerdict | Promise<RateVerdict>;
}

/** The verdict for a client without a limit. */
export const UNLIMITED: RateVerdict = { isAllowed: true, retryAfterSeconds: 0, headers: [] };

/** Describes the state of a client's bucket after a request. */
export function verdictOf(
  isAllowed: boolean,
  tokens: number,
  { requestsPerSecond, burst }: RateLimit,
): RateVerdict {
  const secondsFor = (wanted: number): number => Math.ceil(wanted / requestsPerSecond);
  return {
    isAllowed,
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, secondsFor(1 - tokens)),
    headers: [
      'ratelimit-policy',
      `"client";q=${burst};w=${secondsFor(burst)}`,
      'ratelimit',
      `"client";r=${Math.floor(tokens)};t=${secondsFor(burst - tokens)}`,
    ],
  };
}

interface LimiterOptions {
  readonly clientsMax?: number;
  /** The number of processes that each allow an equal share of the limits. Default: 1. */
  readonly shares?: number;
  /** Tokens of a client's new bucket. Default: all. */
  readonly firstTokens?: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * Limits requests with a token bucket per client. A bucket holds one burst and refills evenly. The number of
 * buckets is limited, so a flood from many addresses uses limited memory.
 */
export class RateLimiter implements RequestLimiter {
  readonly #limit: RateLimit | null;
  readonly #clock: Clock;
  readonly #clientsMax: number;
  readonly #shares: number;
  readonly #firstTokens: number;
  /** Buckets by client, the least recently active one first. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param limit the limit of clients without their own; null if there is none. */
  constructor(
    limit: RateLimit | null,
    clock: Clock,
    { clientsMax = CLIENTS_MAX, shares = 1, firstTokens = Infinity }: LimiterOptions = {},
  ) {
    this.#limit = limit;
    this.#clock = clock;
    this.#clientsMax = clientsMax;
    this.#shares = shares;
    this.#firstTokens = firstTokens;
  }

  take(client: string, own: RateLimit | null = this.#limit): RateVerdict {
    if (own === null) return UNLIMITED;
    const limit = {
      requestsPerSecond: own.requestsPerSecond / this.#shares,
      burst: Math.max(1, Math.floor(own.burst / this.#shares)),
    };
    const bucket = this.#fill(client, limit);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return verdictOf(isAllowed, bucket.tokens, limit);
  }

  /** Sets the tokens of a client whose requests another limiter has counted. */
  setTokens(client: string, tokens: number): void {
    this.#keep(client, { tokens, filledAt: this.#clock.now() });
  }

  /** Returns the client's bucket, refilled up to now and moved to the end of the table. */
  #fill(client: string, { requestsPerSecond, burst }: RateLimit): Bucket {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(client) ?? { tokens: Math.min(burst, this.#firstTokens), filledAt: now };
    // The wall clock may have moved backwards.
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * requestsPerSecond) / 1_000);
    bucket.filledAt = now;
    this.#keep(client, bucket);
    return bucket;
  }

  #keep(client: string, bucket: Bucket): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > this.#clientsMax) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const { value } = this.#buckets.keys().next();
    if (value !== undefined) this.#buckets.delete(value);
  }
}
