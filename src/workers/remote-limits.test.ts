import { describe, expect, it } from 'vitest';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { RateLimiter } from '../service/rate-limiter.ts';
import type { Reply } from '../service/reply.ts';
import { MemoryAnswers } from '../service/rest/answer-store.ts';
import { digestUse, IdempotencyKeys } from '../service/rest/idempotency-keys.ts';
import { openLimits, type SharedLimits } from './limit-calls.ts';
import { remoteKeys, remoteLimiter } from './remote-limits.ts';
import { connectChannels } from './testing/serialised-channels.ts';

const USE = digestUse(['deposit', '', 'key'], { amount: 1 });
const REPLY: Reply = { status: 200, body: '{}', contentType: 'application/json', headers: ['a', 'b'] };

function workerOn(limits: SharedLimits) {
  const { calls, release } = openLimits(limits);
  const { client } = connectChannels(calls, silentLogger).worker;
  return { keys: remoteKeys(client), limiter: remoteLimiter(client), release };
}

function shared(): SharedLimits {
  const clock = { now: () => 0 };
  return {
    rateLimiter: new RateLimiter({ requestsPerSecond: 1, burst: 3 }, clock),
    idempotencyKeys: new IdempotencyKeys(new MemoryAnswers(systemClock)),
  };
}

describe('the limits of several workers', () => {
  it('count requests together', async () => {
    const limits = shared();
    const workers = [workerOn(limits), workerOn(limits)];
    const verdicts = await Promise.all([0, 1, 0, 1].map((at) => workers[at]?.limiter.take('client')));
    expect(verdicts.filter((verdict) => verdict?.isAllowed)).toHaveLength(3);
    expect(verdicts.find((verdict) => verdict?.isAllowed === false)?.retryAfterSeconds).toBe(1);
  });

  it('give a key to one of them, and what came of it to all', async () => {
    const limits = shared();
    const [one, other] = [workerOn(limits), workerOn(limits)];
    const claim = await one.keys.claim(USE);
    expect(await other.keys.claim(USE)).toEqual({ kind: 'in-use' });
    expect(await other.keys.claim({ ...USE, fingerprint: 'another' })).toEqual({ kind: 'reused' });
    if (claim.kind === 'new') await claim.settle(REPLY);
    for (const { keys } of [one, other])
      expect(await keys.claim(USE)).toEqual({ kind: 'answered', reply: REPLY });
  });

  it('free the keys of a worker that is dead, and of no other', async () => {
    const limits = shared();
    const [dead, alive] = [workerOn(limits), workerOn(limits)];
    const others = { ...USE, place: 'another' };
    await dead.keys.claim(USE);
    await alive.keys.claim(others);
    dead.release();
    expect((await alive.keys.claim(USE)).kind).toBe('new');
    expect((await dead.keys.claim(others)).kind).toBe('in-use');
  });
});
