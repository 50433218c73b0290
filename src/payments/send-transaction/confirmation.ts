import type { Chain, LedgerClient, SignatureStatus } from '../../chain/chain.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { usesDurableNonce } from '../../programs/system.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';

/** The clock and timer for waiting, injected for tests. */
export interface Waiting {
  readonly clock: Clock;
  /** Resolves after that many ms. */
  sleep(ms: number): Promise<unknown>;
}

/** The outcome of a submitted transaction. `open` means it is not known yet. */
export type Outcome =
  | { readonly kind: 'landed'; readonly status: SignatureStatus }
  | { readonly kind: 'expired' }
  | { readonly kind: 'open' };

/** Longest wait for a confirmation, ms. The network gives up after about 60 to 90 seconds. */
export const WAIT_MS_MAX = 30_000;

const POLL_MS = 500;

/** The transaction being awaited. */
export interface Awaited {
  readonly signature: string;
  /** The last block height at which it can land; null if the caller did not state it. */
  readonly lastValidBlockHeight: number | null;
  readonly token: string | undefined;
  /**
   * Whether the ledger may hide a landed transaction from this caller, so that a missing status proves
   * nothing.
   */
  readonly isBlind: boolean;
}

/**
 * How to look up a signed transaction at its node.
 *
 * @param lastValidBlockHeight as reported by the caller; ignored for a durable nonce, which does not expire
 *   by block height.
 */
export function awaitedOf(
  transaction: Transaction,
  {
    chain,
    node,
    token,
  }: { readonly chain: Chain; readonly node: LedgerClient; readonly token: string | undefined },
  lastValidBlockHeight: number | null,
): Awaited {
  return {
    signature: encodeBase58(transaction.signatures[0] as Uint8Array),
    lastValidBlockHeight: usesDurableNonce(transaction) ? null : lastValidBlockHeight,
    token,
    isBlind: node === chain.rollup && chain.rollup.hidesStatuses === true && token === undefined,
  };
}

/**
 * Waits until a transaction has landed, has expired, or {@link WAIT_MS_MAX} have passed. Failed reads are
 * repeated: they have no effect on the transaction.
 */
export async function awaitOutcome(node: LedgerClient, awaited: Awaited, waiting: Waiting): Promise<Outcome> {
  const known = async (): Promise<Outcome | null> => {
    const outcome = await readOutcome(node, awaited);
    return outcome.kind === 'open' ? null : outcome;
  };
  return (await pollUntil(known, WAIT_MS_MAX, waiting)) ?? { kind: 'open' };
}

/** Repeats a read until it answers, at most for `waitMs`; null if it has not answered by then. */
export async function pollUntil<T>(
  read: () => Promise<T | null>,
  waitMs: number,
  { clock, sleep }: Waiting,
): Promise<T | null> {
  const until = clock.now() + waitMs;
  for (;;) {
    const answer = await read();
    if (answer !== null || clock.now() + POLL_MS > until) return answer;
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
