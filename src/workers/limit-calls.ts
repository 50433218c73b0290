import type { RateVerdict, RequestLimiter } from '../service/rate-limiter.ts';
import type { Reply } from '../service/reply.ts';
import type { KeyUse } from '../service/rest/answer-store.ts';
import type { Claim, KeyTable } from '../service/rest/idempotency-keys.ts';

/** The result of a claim in another process: a new claim has an id, by which it is settled. */
type RemoteClaim = Exclude<Claim, { kind: 'new' }> | { readonly kind: 'new'; readonly claimId: number };

/** The calls to the process that counts all requests and stores all keys. */
export interface LimitCalls {
  take(client: string): RateVerdict | Promise<RateVerdict>;
  claim(use: KeyUse): Promise<RemoteClaim>;
  settle(claimId: number, reply: Reply | undefined): void | Promise<void>;
}

/** The limits as one worker uses them. */
interface WorkerLimits {
  readonly calls: LimitCalls;
  /** Frees the keys of requests the worker has not answered; called when it is dead. */
  release(): void;
}

/** The limits shared by all workers. */
export interface SharedLimits {
  /** Left out where requests are not limited. */
  readonly rateLimiter?: RequestLimiter;
  readonly idempotencyKeys: KeyTable;
}

/** Opens the shared limits to one worker. */
export function openLimits({ rateLimiter, idempotencyKeys }: SharedLimits): WorkerLimits {
  const running = new Map<number, (reply: Reply | undefined) => void | Promise<void>>();
  let lastId = 0;
  const settle: LimitCalls['settle'] = (claimId, reply) => {
    const settleClaim = running.get(claimId);
    running.delete(claimId);
    return settleClaim?.(reply);
  };
  return {
    calls: {
      take(client) {
        if (rateLimiter === undefined) throw new Error('requests are not limited');
        return rateLimiter.take(client);
      },
      async claim(use) {
        const claim = await idempotencyKeys.claim(use);
        if (claim.kind !== 'new') return claim;
        lastId += 1;
        running.set(lastId, claim.settle);
        return { kind: 'new', claimId: lastId };
      },
      settle,
    },
    release() {
      for (const claimId of running.keys()) void settle(claimId, undefined);
    },
  };
}
