import { Redis } from 'ioredis';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { failureFields } from '../../errors/failure-fields.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  type RateLimit,
  RateLimiter,
  type RateVerdict,
  type RequestLimiter,
  UNLIMITED,
  verdictOf,
} from '../../service/rate-limiter.ts';

/** Default time after which a request no longer waits for Redis, in ms. */
const TIMEOUT_MS = 20;

/** Time for which requests do not ask Redis after a failure, in ms. */
const PAUSE_MS = 500;

/** Time for which a replica counts after its last request, in ms. */
const REPLICA_MS = 10_000;

const REPLICAS_KEY = 'spl-private-payments:replicas';

/**
 * Takes a token from a bucket by the time of Redis. Returns whether there was one, the tokens that are left,
 * and the number of active replicas.
 *
 * KEYS: bucket, replicas. ARGV: tokens per second, burst, id of this replica, `REPLICA_MS`.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local at = tonumber(bucket[2]) or now
local tokens = math.min(burst, (tonumber(bucket[1]) or burst) + math.max(0, now - at) * rate / 1000)
local allowed = tokens >= 1 and 1 or 0
tokens = tokens - allowed
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
redis.call('ZADD', KEYS[2], now, ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[4])
return { allowed, tostring(tokens), redis.call('ZCARD', KEYS[2]) }
`;

interface Options {
  readonly url: string;
  /** The limit of all replicas together for clients without their own; null for none. */
  readonly limit: RateLimit | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

/**
 * Limits requests with token buckets in Redis, which all replicas share. While Redis does not answer in time,
 * the replica uses buckets of its own that hold its share of the limit.
 */
export class RedisRequestLimiter implements RequestLimiter {
  readonly #options: Options;
  readonly #redis: Redis;
  readonly #replica = randomUUID();
  /** The active replicas when Redis last answered, including this one; 0 if it never did. */
  #replicas = 0;
  /** The buckets of this replica. They stay after a failure, so that each failure does not refill them. */
  #own: RateLimiter;
  #isFailing = false;
  #pausedUntil = 0;
  #localCount = 0;

  constructor(options: Options) {
    this.#options = options;
    // A replica that starts during an outage has at least one other, and adds no burst to its.
    this.#own = new RateLimiter(options.limit, options.clock, { shares: 2, firstTokens: 1 });
    this.#redis = new Redis(options.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: PAUSE_MS,
      retryStrategy: () => PAUSE_MS,
      scripts: { take: { lua: TAKE, numberOfKeys: 2 } },
    });
    // Failures are logged when a request meets them.
    this.#redis.on('error', () => undefined);
  }

  /**
   * Waits for the connection, up to 0.5 s. Without it, the first requests would count for this replica only.
   */
  async connect(): Promise<void> {
    await once(this.#redis, 'ready', { signal: AbortSignal.timeout(PAUSE_MS) }).catch(() => undefined);
  }

  /** Number of requests that were counted by the buckets of this replica. */
  get localCount(): number {
    return this.#localCount;
  }

  async take(client: string, limit: RateLimit | null = this.#options.limit): Promise<RateVerdict> {
    if (limit === null) return UNLIMITED;
    if (this.#options.clock.now() < this.#pausedUntil) return this.#takeOwn(client, limit);
    try {
      const [isAllowed, tokens, replicas] = await this.#ask(client, limit);
      this.#recovered(replicas);
      // If Redis fails, the client continues with its share of these tokens, not with another burst.
      this.#own.setTokens(client, Number(tokens) / replicas);
      return verdictOf(isAllowed === 1, Number(tokens), limit);
    } catch (error) {
      this.#failed(error);
      return this.#takeOwn(client, limit);
    }
  }

  close(): void {
    this.#redis.disconnect();
  }

  async #ask(
    client: string,
    { requestsPerSecond, burst }: RateLimit,
  ): Promise<readonly [number, string, number]> {
    // The digest hides the addresses of clients from readers of Redis.
    const bucket = createHash('sha256').update(client).digest('base64url');
    const redis = this.#redis as Redis & { take(...args: unknown[]): Promise<[number, string, number]> };
    const answer = redis.take(
      `spl-private-payments:limit:${bucket}`,
      REPLICAS_KEY,
      requestsPerSecond,
      burst,
      this.#replica,
      REPLICA_MS,
    );
    return await inTime(answer, this.#options.timeoutMs ?? TIMEOUT_MS);
  }

  #takeOwn(client: string, limit: RateLimit): RateVerdict {
    this.#localCount += 1;
    return this.#own.take(client, limit);
  }

  #recovered(replicas: number): void {
    if (replicas !== this.#replicas) {
      this.#replicas = replicas;
      const { clock, limit } = this.#options;
      this.#own = new RateLimiter(limit, clock, { shares: replicas });
    }
    this.#pausedUntil = 0;
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.logger.info({ replicas }, 'rate limits apply to all replicas together again');
  }

  #failed(error: unknown): void {
    const { clock, logger } = this.#options;
    this.#pausedUntil = clock.now() + PAUSE_MS;
    if (this.#isFailing) return;
    this.#isFailing = true;
    logger.warn(
      { ...failureFields(error), replicas: this.#replicas },
      'the server at LIMITS_URL does not answer: this replica enforces its share of the rate limits',
    );
  }
}

/** Rejects an answer that has not arrived in time. */
function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // An answer may have arrived while this process was busy. It is read before the immediate runs.
    const late = (): void => void setImmediate(() => reject(new Error('Redis did not answer in time')));
    const timeout = setTimeout(late, timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timeout));
  });
}
