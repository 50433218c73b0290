import type { RateLimit } from '../rate-limiter.ts';

/** An authenticated caller. */
export interface Caller {
  /** Key of the caller in limits and queues. */
  readonly client: string;
  readonly scopes: ReadonlySet<string>;
  /** The caller's own rate limit; undefined for the service's limit. */
  readonly limit?: RateLimit | undefined;
}

/** Thrown for credentials that are not valid. The message tells the caller why, without secrets. */
export class InvalidCredentials extends Error {
  override readonly name = 'InvalidCredentials';
}
