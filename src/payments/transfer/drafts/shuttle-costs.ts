import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../../programs/delegation/record.ts';
import { EATA_BYTES_B } from '../../../programs/ephemeral-token/state.ts';
import { NO_WRAP, findWrapNeeds, type WrapNeeds } from '../../mints/wrapped-sol.ts';
import type { EataStatus } from '../../rollup-state/eata-status.ts';
import type { Account } from '../../../solana/account.ts';
import { readSource } from './base-accounts.ts';
import { isNative } from '../request/transfer-request.ts';
import type { TransferTask } from '../transfer-task.ts';

/** Sizes of the accounts that take an eATA from where it stands to a rollup, bytes. */
export function delegationBytes(status: EataStatus): number[] {
  if (status.at === 'rollup') return [];
  const records = [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES];
  return status.at === 'base' ? records : [EATA_BYTES_B, ...records];
}

/** What has to be wrapped before native SOL goes into a shuttle; nothing for any other mint. */
export function wrapNeedsOf(
  task: TransferTask,
  accounts: { readonly source: Account | null; readonly rentPda: Account | null },
): WrapNeeds {
  const { request } = task;
  if (!isNative(request)) return NO_WRAP;
  // A transfer of nothing wraps nothing and leaves the rent PDA alone.
  if (request.sums.debited === 0n) return NO_WRAP;
  return findWrapNeeds({
    wanted: request.sums.debited,
    wrapped: readSource(task, accounts.source)?.amount ?? 0n,
    rentPdaLamports: accounts.rentPda?.lamports ?? 0n,
  });
}
