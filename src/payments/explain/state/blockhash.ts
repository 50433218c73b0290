import type { Chain, LedgerClient } from '../../../chain/chain.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import { encodeBase58 } from '../../../solana/base58.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { LEDGERS, type Location } from '../../building/built-transaction.ts';
import { danger, type FindingCode, mismatch, NOTHING_TO_REPORT, type Report, uncertain } from '../finding.ts';

const blockhashBytes = ({ wire, blockhashAt }: Transaction): Uint8Array =>
  wire.subarray(blockhashAt, blockhashAt + 32);

/** Returns the blockhash of a transaction, base58. */
export const blockhashOf = (transaction: Transaction): string => encodeBase58(blockhashBytes(transaction));

/**
 * Checks whether a transaction's blockhash is valid on its ledger, and if not, on the other ledger. A
 * simulation replaces the blockhash, so it does not show its validity.
 */
export async function checkBlockhash(
  transaction: Transaction,
  { chain, location, token }: { chain: Chain; location: Location; token: string | undefined },
): Promise<Report> {
  const isOnBase = location === 'base';
  const [own, other]: readonly (LedgerClient | null)[] = isOnBase
    ? [chain, chain.rollup]
    : [chain.rollup, chain];
  const [here, there] = isOnBase ? [LEDGERS.base, LEDGERS.ephemeral] : [LEDGERS.ephemeral, LEDGERS.base];
  const rejected = (code: FindingCode, message: string, found: string): Report =>
    mismatch(danger(code, message), { part: 'blockhash', expected: `a blockhash of ${here}`, found });
  if (blockhashBytes(transaction).every((byte) => byte === 0)) {
    const message = 'It has no blockhash yet. The blockhash will decide which ledger executes it.';
    return rejected('BLOCKHASH_ZERO', message, 'none');
  }
  if (!own) return unchecked(here, 'no rollup is configured');
  const blockhash = blockhashOf(transaction);
  try {
    if (await own.isBlockhashValid(blockhash, token)) return NOTHING_TO_REPORT;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return unchecked(here, error.code);
  }
  return (await isValidOn(other ?? null, blockhash))
    ? rejected(
        'BLOCKHASH_OF_OTHER_LEDGER',
        `Its blockhash belongs to ${there}: it can run there, visible to everyone who can read that ledger, but not on ${here}.`,
        `a blockhash of ${there}`,
      )
    : rejected(
        'BLOCKHASH_UNKNOWN',
        `Its blockhash is not valid on ${here}: it has expired or belongs to another ledger. Build the transaction again.`,
        'one that this ledger rejects',
      );
}

const unchecked = (here: string, why: string): Report =>
  uncertain(
    'BLOCKHASH_UNCHECKED',
    'blockhash',
    `Whether its blockhash belongs to ${here} could not be checked (${why}).`,
  );

/** Checks the other ledger. If it does not answer, the blockhash remains unknown. */
async function isValidOn(node: LedgerClient | null, blockhash: string): Promise<boolean> {
  try {
    return (await node?.isBlockhashValid(blockhash)) ?? false;
  } catch (error) {
    if (isServiceError(error)) return false;
    throw error;
  }
}
