import type { KeyTable } from '../service/rest/idempotency-keys.ts';
import type { RequestLimiter } from '../service/rate-limiter.ts';
import type { CallClient } from './call-client.ts';
import type { LimitCalls } from './limit-calls.ts';

/** Counts requests where those of all workers are counted. */
export function remoteLimiter(primary: CallClient<LimitCalls>): RequestLimiter {
  return { take: (client) => primary.call('take', client) };
}

/** Takes idempotency keys where those of all workers are kept. */
export function remoteKeys(primary: CallClient<LimitCalls>): KeyTable {
  return {
    async claim(use) {
      const claim = await primary.call('claim', use);
      if (claim.kind !== 'new') return claim;
      return { kind: 'new', settle: (reply) => primary.call('settle', claim.claimId, reply) };
    },
  };
}
