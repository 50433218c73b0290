import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../../programs/delegation/record.ts';
import { EATA_BYTES_B } from '../../../programs/ephemeral-token/state.ts';
import { requireRent } from '../../fees/rent-costs.ts';
import { NO_WRAP, findWrapNeeds, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import type { EataStatus } from '../../rollup-state/eata-status.ts';
import type { Account } from '../../../solana/account.ts';
import { readSource } from './base-accounts.ts';
import { isNative, type TransferRequest } from '../request/transfer-request.ts';
import type { TransferTask } from '../transfer-task.ts';

/**
 * Sizes of the accounts that bring an eATA from its state to a rollup, bytes; with a sponsor the most that it
 * can come to: whoever sends the transaction may have had the eATA given back by then. None is ever closed.
 */
export function delegationBytes(status: EataStatus, { sponsor }: Pick<TransferRequest, 'sponsor'>): number[] {
  if (status.at === 'rollup' && sponsor === null) return [];
  const records = [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES];
  return status.at === 'nowhere' ? [EATA_BYTES_B, ...records] : records;
}

/** What native SOL has to wrap before it goes into a shuttle; nothing for other mints. */
export function wrapNeedsOf(
  task: TransferTask,
  accounts: Readonly<Record<'source' | 'rentPda' | 'rent', Account | null>>,
): WrapNeeds {
  const { request } = task;
  if (!isNative(request)) return NO_WRAP;
  // An empty transfer wraps nothing and does not top up the rent PDA.
  if (request.sums.debited === 0n) return NO_WRAP;
  return findWrapNeeds({
    wanted: request.sums.debited,
    wrapped: readSource(task, accounts.source)?.amount ?? 0n,
    rentPdaLamports: accounts.rentPda?.lamports ?? 0n,
    rent: requireRent(accounts.rent),
  });
}
