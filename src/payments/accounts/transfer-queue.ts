import type { LedgerClient } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../programs/delegation/pdas.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { remember } from '../building/remember.ts';
import { deriveDelegationAccounts } from './deposit-accounts.ts';

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
  return { queue, status: queueStatusOf(queue, account, { mint, validator }) };
}

/**
 * Checks the account at a queue's address. A queue keeps its data while it is delegated.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if it is delegated but not a queue of this mint and validator.
 */
export function queueStatusOf(
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
      `The account ${queue} cannot be decoded as the transfer queue of mint ${expected.mint} on validator ${expected.validator}`,
      { queue, ...expected },
    );
  }
  return 'delegated';
}

/** The queue for delayed transfers of a mint, and the accounts created with it. */
export interface QueueAccounts {
  readonly queue: Address;
  readonly queuePermission: Address;
  readonly queueEata: Address;
  readonly queueAta: Address;
  readonly eataDelegation: DelegationAccounts;
}

/**
 * Most transfers use few mints and validators, and deriving addresses is most of the cost of building one.
 */
const REMEMBERED_MAX = 256;

/** The transfer queue of a mint on a validator. */
export const queueAccountsOf = (mint: Address, validator: Address, tokenProgram: Address): QueueAccounts =>
  // One text as the key; base58 contains no spaces.
  queues(`${mint} ${validator} ${tokenProgram}`);

const queues = remember(REMEMBERED_MAX, (key): QueueAccounts => {
  const [mint, validator, tokenProgram] = key.split(' ') as [Address, Address, Address];
  const queue = deriveTransferQueue(mint, validator).address;
  const queueEata = deriveEata(queue, mint).address;
  return {
    queue,
    queuePermission: derivePermission(queue).address,
    queueEata,
    queueAta: deriveAta(queue, mint, tokenProgram).address,
    eataDelegation: deriveDelegationAccounts(queueEata, EPHEMERAL_TOKEN_PROGRAM),
  };
});
