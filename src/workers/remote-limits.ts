import type { KeyTable } from '../service/rest/idempotency-keys.ts';
import type { RequestLimiter } from '../service/rate-limiter.ts';
import type { Caller } from './caller.ts';
import type { LimitCalls } from './limit-calls.ts';

/** Counts requests where those of all workers are counted. */
export function remoteLimiter(caller: Caller<LimitCalls>): RequestLimiter {
  return { take: (client) => caller.call('take', client) };
}

/** Takes idempotency keys where those of all workers are kept. */
export function remoteKeys(caller: Caller<LimitCalls>): KeyTable {
  return {
    async claim(use) {
      const claim = await caller.call('claim', use);
      if (claim.kind !== 'new') return claim;
      return { kind: 'new', settle: (reply) => caller.call('settle', claim.claimId, reply) };
    },
  };
}
