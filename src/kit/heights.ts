import type { LedgerClient } from '../chain/chain.ts';

/** Blocks for which a base ledger takes a blockhash after its own (Agave `MAX_PROCESSING_AGE`). */
const PROCESSING_AGE_MAX = 150;

/**
 * Blocks by which a blockhash that is good may be newer than what a node tells: `latestBlockhash` may be 5 s
 * old, 100 blocks of 50 ms, and the newest block is up to 32 ahead of the confirmed one.
 */
const AHEAD_MAX = 150;

/** Where a ledger is, and for how long bytes can land on it that are signed now. */
interface Heights {
  /** Its block height now. */
  readonly height: number;
  /** A block height after which nothing can land any more whose blockhash was good before the call. */
  readonly lastHeight: number;
}

/**
 * Asks the ledger itself: the service's word could make a payment look expired that can still land. So could
 * that of its newest blockhash alone, which the service's may be ahead of. A rollup takes blockhashes for
 * longer than a base ledger, and tells so by its newest one.
 *
 * @throws {ServiceError} UPSTREAM_*, AUTH_REFUSED.
 */
export async function readHeights(node: LedgerClient, token: string | undefined): Promise<Heights> {
  const [latest, height] = await Promise.all([node.latestBlockhash(token), node.blockHeight(token)]);
  const lastHeight = Math.max(latest.lastValidBlockHeight, height + PROCESSING_AGE_MAX) + AHEAD_MAX;
  return { height, lastHeight };
}
