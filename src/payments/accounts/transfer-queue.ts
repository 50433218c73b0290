import type { LedgerClient } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** The state of the transfer queue of a mint on a validator. Only a delegated one accepts transfers. */
export type QueueStatus = 'absent' | 'undelegated' | 'delegated';

/** A transfer queue as seen on base. */
interface QueueState {
  readonly queue: Address;
  readonly status: QueueStatus;
}

/**
 * Reads the transfer queue of a mint on a validator from base.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if its address holds something else.
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
 * Checks the account at a queue's address. A queue keeps its data while it is delegated.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if it is delegated but not a queue of this mint and validator.
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
