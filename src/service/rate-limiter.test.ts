import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

function limiterOf(requestsPerMinute: number, clientsMax = 10_000) {
  let now = 1_000_000;
  const limiter = new RateLimiter(
    { requestsPerSecond: requestsPerMinute / 60, burst: requestsPerMinute },
    { now: () => now },
    { clientsMax },
  );
  return { limiter, pass: (ms: number) => (now += ms) };
}

describe('RateLimiter', () => {
  it('applies the own limit of a client instead of the limit of all', () => {
    const { limiter } = limiterOf(1);
    const own = { requestsPerSecond: 0.001, burst: 2 };
    expect([1, 2, 3].map(() => limiter.take('key a', own).isAllowed)).toEqual([true, true, false]);
    expect([1, 2].map(() => limiter.take('a').isAllowed)).toEqual([true, false]);
  });

  it('without a limit for all, limits only clients with their own', () => {
    const limiter = new RateLimiter(null, { now: () => 0 });
    expect([1, 2, 3].map(() => limiter.take('a'))).toEqual(
      Array.from({ length: 3 }, () => ({ isAllowed: true, retryAfterSeconds: 0, headers: [] })),
    );
    const own = { requestsPerSecond: 1, burst: 1 };
    expect([1, 2].map(() => limiter.take('key a', own).isAllowed)).toEqual([true, false]);
  });

  it('allows a share of each limit', () => {
    const limit = { requestsPerSecond: 6, burst: 12 };
    const limiter = new RateLimiter(limit, { now: () => 0 }, { shares: 3 });
    const allowedOf = (client: string, own?: typeof limit): number =>
      Array.from({ length: 20 }, () => limiter.take(client, own)).filter(({ isAllowed }) => isAllowed).length;
    expect(allowedOf('a')).toBe(4);
    expect(allowedOf('key a', { requestsPerSecond: 1, burst: 2 })).toBe(1);
    expect(allowedOf('key b', { requestsPerSecond: 30, burst: 60 })).toBe(20);
  });

  it('allows a minute of requests at once, then one for each that is refilled', () => {
    const { limiter, pass } = limiterOf(3);
    expect([1, 2, 3, 4].map(() => limiter.take('a').isAllowed)).toEqual([true, true, true, false]);
    expect(limiter.take('a').retryAfterSeconds).toBe(20);
    pass(19_999);
    expect(limiter.take('a')).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 });
    pass(1);
    expect(limiter.take('a').isAllowed).toBe(true);
    expect(limiter.take('a').isAllowed).toBe(false);
  });

  it('never allows more at once than a minute of requests', () => {
    const { limiter, pass } = limiterOf(2);
    limiter.take('a');
    pass(60 * 60_000);
    expect([1, 2, 3].map(() => limiter.take('a').isAllowed)).toEqual([true, true, false]);
  });

  it('reports the policy and the remaining requests', () => {
    const { limiter } = limiterOf(60);
    limiter.take('a');
    expect(limiter.take('a').headers).toEqual([
      'ratelimit-policy',
      '"client";q=60;w=60',
      'ratelimit',
      '"client";r=58;t=2',
    ]);
  });

  it('keeps clients apart', () => {
    const { limiter } = limiterOf(1);
    expect(limiter.take('a').isAllowed).toBe(true);
    expect(limiter.take('b').isAllowed).toBe(true);
    expect(limiter.take('a').isAllowed).toBe(false);
  });

  it('forgets the least recently seen client when there are too many', () => {
    const { limiter } = limiterOf(1, 2);
    limiter.take('a');
    limiter.take('b');
    limiter.take('a');
    limiter.take('c');
    expect(limiter.take('a').isAllowed).toBe(false);
    expect(limiter.take('b').isAllowed).toBe(true);
  });

  it('treats a clock that was set back as stopped', () => {
    const { limiter, pass } = limiterOf(1);
    limiter.take('a');
    pass(-120_000);
    expect(limiter.take('a').isAllowed).toBe(false);
    pass(60_000);
    expect(limiter.take('a').isAllowed).toBe(true);
  });
});
