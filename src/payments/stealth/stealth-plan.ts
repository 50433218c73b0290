import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import {
  delegateStealthPool,
  updateStealthPool,
  type StealthPoolKeys,
} from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { derivePermission } from '../../programs/permission/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';

/** The owner and the payer of a pool. */
export interface PoolParties {
  readonly payer: Address;
  /** May change the keys of the pool. */
  readonly authority: Address;
  readonly pool: Address;
  readonly handle: string;
}

/**
 * For base: creates the empty pool and delegates it to the validator; does nothing if that was done before.
 */
export function planPoolSetup({ handle, ...parties }: PoolParties, validator: Address): Instruction[] {
  const accounts = {
    ...parties,
    permission: derivePermission(parties.pool).address,
    delegation: deriveDelegationAccounts(parties.pool, EPHEMERAL_TOKEN_PROGRAM),
  };
  return [delegateStealthPool(accounts, handle, validator)];
}

/** For the rollup: sets the destinations of the pool. */
export function planPoolUpdate({ handle, ...accounts }: PoolParties, keys: StealthPoolKeys): Instruction[] {
  return [updateStealthPool(accounts, handle, keys)];
}
