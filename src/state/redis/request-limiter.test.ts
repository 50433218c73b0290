import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { missingPrograms, startRedis } from '../testing/server-process.ts';
import { openTcpCutter } from '../testing/tcp-cutter.ts';
import { RedisRequestLimiter } from './request-limiter.ts';

const NO_REDIS = missingPrograms('redis-server', 'redis-cli');

/** So slow that no token comes back while a test runs. */
const LIMIT = { requestsPerSecond: 0.001, burst: 10 };

describe.skipIf(NO_REDIS)('rate limits in Redis', () => {
  async function open() {
    const redis = await startRedis();
    const cutter = await openTcpCutter(redis.port);
    onTestFinished(async () => {
      await cutter.close();
      await redis.stop();
    });
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const lines: string[] = [];
    const logger = {
      ...silentLogger,
      warn: (_: object, text: string) => void lines.push(text),
      info: (_: object, text: string) => void lines.push(text),
    };
    const replica = (limit = LIMIT, timeoutMs = 10_000): RedisRequestLimiter => {
      const limiter = new RedisRequestLimiter({
        url: `redis://127.0.0.1:${cutter.port}`,
        limit,
        clock,
        logger,
        timeoutMs,
      });
      onTestFinished(() => limiter.close());
      return limiter;
    };
    return { cutter, clock, lines, replica };
  }

  /** Makes `count` requests at once, and returns how many are allowed. */
  async function allowedOf(
    limiters: readonly RedisRequestLimiter[],
    count: number,
    client = '192.0.2.1',
  ): Promise<number> {
    const taken = Array.from({ length: count }, (_, at) =>
      (limiters[at % limiters.length] as RedisRequestLimiter).take(client),
    );
    return (await Promise.all(taken)).filter(({ isAllowed }) => isAllowed).length;
  }

  /** Waits until Redis answers a replica. Requests of a client of its own do not count for others. */
  async function untilShared(limiter: RedisRequestLimiter, clock: { nowMs: number }): Promise<void> {
    for (let before = -1; before !== limiter.localCount;) {
      before = limiter.localCount;
      clock.nowMs += 500;
      await limiter.take(`probe ${Math.random()}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('are one for all replicas', async () => {
    const { replica, clock } = await open();
    const replicas = [replica(), replica(), replica()];
    for (const each of replicas) await untilShared(each, clock);
    expect(await allowedOf(replicas, 60)).toBe(10);
    expect(await allowedOf(replicas, 10, '192.0.2.2')).toBe(10);
  });

  it('of a client with its own limit replace those of all', async () => {
    const { replica, clock } = await open();
    const replicas = [replica(), replica()];
    for (const each of replicas) await untilShared(each, clock);
    const own = { requestsPerSecond: 0.001, burst: 3 };
    const taken = await Promise.all([0, 1, 0, 1, 0].map((at) => replicas[at]?.take('key a', own)));
    expect(taken.filter((verdict) => verdict?.isAllowed)).toHaveLength(3);
  });

  it('are one from the first request on (bug: replicas that started allowed a burst each)', async () => {
    const { replica } = await open();
    const replicas = [replica(), replica()];
    await Promise.all(replicas.map((each) => each.connect()));
    expect(await allowedOf(replicas, 30)).toBe(10);
    expect(replicas.map(({ localCount }) => localCount)).toEqual([0, 0]);
  });

  it('start if Redis cannot be reached', async () => {
    const { replica, cutter } = await open();
    for (const fault of ['cut', 'stall'] as const) {
      cutter[fault]();
      await replica().connect();
    }
  });

  it('refill by the time of Redis, and tell the client when', async () => {
    const { replica, clock } = await open();
    const limiter = replica({ requestsPerSecond: 100, burst: 1 });
    await untilShared(limiter, clock);
    const verdicts = [await limiter.take('a'), await limiter.take('a')];
    expect(verdicts.map(({ headers }) => headers[1])).toEqual(['"client";q=1;w=1', '"client";q=1;w=1']);
    for (;;) {
      const { isAllowed, retryAfterSeconds } = await limiter.take('a');
      expect(retryAfterSeconds).toBe(isAllowed ? 0 : 1);
      if (isAllowed) break;
    }
  });

  it.each(['cut', 'stall'] as const)(
    'become shares of the replicas after a %s of the connection, and are shared again afterwards',
    async (fault) => {
      const { replica, clock, cutter, lines } = await open();
      const replicas = [replica(LIMIT, 100), replica(LIMIT, 100)];
      for (const each of replicas) await untilShared(each, clock);
      // Each replica learns of the others by its own requests.
      await allowedOf(replicas, 4, 'somebody else');
      lines.length = 0;
      cutter[fault]();
      expect(await allowedOf(replicas, 30)).toBe(10);
      expect(replicas.map(({ localCount }) => localCount >= 15)).toEqual([true, true]);
      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain('does not answer');
      cutter.restore();
      for (const each of replicas) await untilShared(each, clock);
      expect(lines).toHaveLength(4);
      expect(await allowedOf(replicas, 30, 'another')).toBe(10);
    },
  );

  it('continue after a failure (bug: each failure gave each client another burst)', async () => {
    const { replica, clock, cutter } = await open();
    const replicas = [replica(), replica()];
    for (const each of replicas) await untilShared(each, clock);
    expect(await allowedOf(replicas, 30)).toBe(10);
    cutter.cut();
    expect(await allowedOf(replicas, 30)).toBe(0);
  });

  it('are enforced from the first request, even if Redis never answers (bug: a replica that started then allowed all of the limit)', async () => {
    const { replica, cutter } = await open();
    cutter.cut();
    expect(await allowedOf([replica()], 30)).toBe(1);
  });
});
