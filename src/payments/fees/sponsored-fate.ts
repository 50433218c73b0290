import type { LedgerClient, Rollup } from '../../chain/chain.ts';

/** The ledger that a sponsored transaction is for, as far as its fate is read there. */
export type FateLedger = Pick<LedgerClient, 'blockHeight' | 'signatureStatus'> &
  Pick<Rollup, 'hidesStatuses'>;

/** A transaction that a sponsor has signed and somebody else may send. */
export interface SponsoredTransaction {
  /** base58; the sponsor's, which names the transaction as it is the first. */
  readonly signature: string;
  /** The most it can cost the sponsor, lamports. */
  readonly lamports: bigint;
  /** What it costs the sponsor where it lands and fails, lamports. */
  readonly failedLamports: bigint;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: number;
  readonly ledger: FateLedger;
  /** Who asked for it, as requests are limited by; undefined where there is one caller only. */
  readonly client: string | undefined;
}

/**
 * What became of a transaction: `open` while it may still land, `expired` if it has not and never will, and
 * `unknown` if it cannot land any more and nobody tells whether it has.
 */
export type Fate = 'open' | 'landed' | 'failed' | 'expired' | 'unknown';

/**
 * How many blocks after its last one a transaction is asked for. A block with 31 on top of it is final
 * (Agave `MAX_LOCKOUT_HISTORY`), and a node that lags behind by as many is not taken for an answer.
 */
export const FINAL_BLOCKS = 32;

/**
 * How many blocks after its last one no answer is taken any more for a transaction that has not landed. A
 * node has the statuses of 300 blocks (Agave `MAX_RECENT_BLOCKHASHES`), and a transaction can land in the 150
 * up to its last one; the rest is left for nodes that are ahead.
 */
export const STATUS_BLOCKS = 100;

/**
 * Reads what became of transactions of one ledger, in their order.
 *
 * @throws {ServiceError} UPSTREAM_* where the ledger cannot be read.
 */
export async function readFates(
  ledger: FateLedger,
  transactions: readonly SponsoredTransaction[],
): Promise<Fate[]> {
  const height = await ledger.blockHeight();
  const isDue = (one: SponsoredTransaction): boolean => height > one.lastValidBlockHeight + FINAL_BLOCKS;
  const statuses = await Promise.all(
    transactions.map((one) => (isDue(one) ? ledger.signatureStatus(one.signature) : null)),
  );
  // Statuses may have been forgotten between the two reads.
  const after = transactions.some(isDue) ? await ledger.blockHeight() : height;
  return transactions.map((one, index) => {
    const status = statuses[index] ?? null;
    if (!isDue(one)) return 'open';
    if (status !== null) return status.err === null ? 'landed' : 'failed';
    const isTold = ledger.hidesStatuses !== true && after <= one.lastValidBlockHeight + STATUS_BLOCKS;
    return isTold ? 'expired' : 'unknown';
  });
}
