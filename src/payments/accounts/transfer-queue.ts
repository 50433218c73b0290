import type { LedgerClient } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** How far the transfer queue of a mint on a validator has come; only a delegated one takes transfers. */
export type QueueStatus = 'absent' | 'undelegated' | 'delegated';

/** A transfer queue as the base ledger shows it. */
interface QueueState {
  readonly queue: Address;
  readonly status: QueueStatus;
}

/**
 * Reads the transfer queue of a mint on a validator from the base ledger.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE when something else is at its address.
 */
export async function readTransferQueue(
  chain: LedgerClient,
  mint: Address,
  validator: Address,
): Promise<QueueState> {
  const queue = deriveTransferQueue(mint, validator).address;
  const [account = null] = await chain.getAccounts([queue]);
  return { queue, status: judgeTransferQueue(queue, account, { mint, validator }) };
}

/**
 * Judges the account at a queue's address. A queue keeps its bytes while it is delegated.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE when it is delegated and no queue of this mint and validator.
 */
export function judgeTransferQueue(
  queue: Address,
  account: Account | null,
  expected: { readonly mint: Address; readonly validator: Address },
): QueueStatus {
  if (account?.owner === EPHEMERAL_TOKEN_PROGRAM) return 'undelegated';
  if (account?.owner !== DELEGATION_PROGRAM) return 'absent';
  const decoded = decodeTransferQueue(account.data);
  if (decoded?.mint !== expected.mint || decoded.validator !== expected.validator) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The account ${queue} cannot be read as the transfer queue of mint ${expected.mint} on validator ${expected.validator}`,
      { queue, ...expected },
    );
  }
  return 'delegated';
}
