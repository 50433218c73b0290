import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { STEALTH_POOL_BYTES } from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Lookup } from './delegated-eata.ts';

/**
 * An account of the ephemeral token program other than an eATA that is delegated to the rollup: it is there
 * at its own address, with the bytes it has on base.
 */
export interface DelegatedAccount {
  readonly address: Address;
  /** Its delegation record. */
  readonly record: Address;
}

/** A delegated account with what base has of it. */
interface ReadAccount {
  readonly delegated: DelegatedAccount;
  readonly account: Account;
  readonly record: Account;
}

/** Whether these may be the bytes of a transfer queue, a stealth pool or a carrier of lamports. */
export function mayBeDelegatedAccount(data: Uint8Array): boolean {
  return data.length === 0 || data.length === STEALTH_POOL_BYTES || decodeTransferQueue(data) !== null;
}

/** The account at an address when it is delegated to `validator`; null otherwise. */
export function readDelegatedAccount(
  address: Address,
  lookup: Lookup,
  validator: Address,
): ReadAccount | null {
  const account = lookup(address);
  if (account?.owner !== DELEGATION_PROGRAM || !mayBeDelegatedAccount(account.data)) return null;
  const delegated = { address, record: deriveDelegationRecord(address).address };
  const record = lookup(delegated.record);
  if (record === undefined || delegatedValidator(record, EPHEMERAL_TOKEN_PROGRAM) !== validator) return null;
  return { delegated, account, record };
}

/** The account as the rollup has it: its own program's, as if it were not delegated. */
export function projectAccount(account: Account): Account {
  return { ...account, owner: EPHEMERAL_TOKEN_PROGRAM };
}
