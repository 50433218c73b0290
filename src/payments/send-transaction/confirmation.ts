import type { LedgerClient, SignatureStatus } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';

/** How waiting is done; tests give their own. */
export interface Waiting {
  readonly clock: Clock;
  /** Resolves after that many milliseconds. */
  sleep(ms: number): Promise<unknown>;
}

/** What became of a transaction that was handed in. `open` is that nobody knows yet. */
export type Outcome =
  | { readonly kind: 'landed'; readonly status: SignatureStatus }
  | { readonly kind: 'expired' }
  | { readonly kind: 'open' };

/** The longest a call waits for a confirmation; the network itself gives up after some 60 to 90 seconds. */
export const WAIT_MS_MAX = 30_000;

const POLL_MS = 500;

/** The transaction that is waited for. */
export interface Awaited {
  readonly signature: string;
  /** The last block height at which it can land; null when the caller did not say. */
  readonly lastValidBlockHeight: number | null;
  readonly token: string | undefined;
  /** Whether the ledger may hide what has landed from this caller, so that not to see it means nothing. */
  readonly isBlind: boolean;
}

/**
 * Waits until a transaction has landed, can no longer land, or {@link WAIT_MS_MAX} have passed. A ledger that cannot be
 * read in between is asked again: the transaction is on its way, whatever the reads come to.
 */
export async function awaitOutcome(
  node: LedgerClient,
  awaited: Awaited,
  { clock, sleep }: Waiting,
): Promise<Outcome> {
  const until = clock.now() + WAIT_MS_MAX;
  for (;;) {
    const outcome = await readOutcome(node, awaited);
    if (outcome.kind !== 'open' || clock.now() + POLL_MS > until) return outcome;
    await sleep(POLL_MS);
  }
}

async function readOutcome(node: LedgerClient, awaited: Awaited): Promise<Outcome> {
  const { signature, lastValidBlockHeight, token, isBlind } = awaited;
  try {
    const status = await node.signatureStatus(signature, token);
    if (status !== null) return { kind: 'landed', status };
    if (lastValidBlockHeight === null || isBlind) return { kind: 'open' };
    if ((await node.blockHeight(token)) <= lastValidBlockHeight) return { kind: 'open' };
    // It may have landed between the two reads.
    const last = await node.signatureStatus(signature, token);
    return last === null ? { kind: 'expired' } : { kind: 'landed', status: last };
  } catch (error) {
    if (isServiceError(error)) return { kind: 'open' };
    throw error;
  }
}
