import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import {
  decodeStealthPool,
  delegateStealthPool,
  STEALTH_POOL_BYTES,
  type StealthPoolKeys,
  updateStealthPool,
} from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { derivePermission, PERMISSION_BYTES } from '../../programs/permission/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Rent } from '../../solana/rent.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import { isProgramAccount, readNamedAccounts } from '../accounts/read-accounts.ts';
import type { Warning } from '../building/built-transaction.ts';
import { warnOfTooFewLamports } from '../building/warnings.ts';
import { requireRent, sumLamports } from '../fees/costs.ts';
import { readValidator } from '../rollup-state/eata-status.ts';

/** The owner and the payer of a pool. */
interface PoolParties {
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

/**
 * Checks a pool to be set up, and its payer's balance, on base. The rollup's own state, such as keys never
 * committed, is not read.
 *
 * @returns problems to fix before sending.
 * @throws {ServiceError} VALIDATOR_MISMATCH if the pool is delegated to another validator: the setup would do
 *   nothing and the update would fail; STEALTH_HANDLE_TAKEN if it has another authority.
 */
export async function checkPool(chain: Chain, parties: PoolParties, validator: Address): Promise<Warning[]> {
  const accounts = await readNamedAccounts(chain, {
    pool: parties.pool,
    record: deriveDelegationRecord(parties.pool).address,
    payer: parties.payer,
    rent: RENT_SYSVAR,
  });
  rejectOtherValidator(
    parties,
    readValidator(parties.pool, accounts.record, EPHEMERAL_TOKEN_PROGRAM),
    validator,
  );
  if (isProgramAccount(accounts.pool)) rejectOtherAuthority(parties, accounts.pool as Account);
  const held = accounts.payer?.lamports ?? 0n;
  const needed = lamportsNeeded(requireRent(accounts.rent), parties, isProgramAccount(accounts.pool));
  return held < needed ? [warnOfTooFewLamports('setup', { who: 'payer', held, needed })] : [];
}

function rejectOtherValidator({ pool }: PoolParties, current: Address | null, wanted: Address): void {
  if (current === null || current === wanted) return;
  throw new ServiceError(
    'VALIDATOR_MISMATCH',
    `The stealth pool ${pool} is delegated to validator ${current} and not to ${wanted}; pass validator ${current} and a cluster whose rollup it runs`,
    { field: 'validator', stealthPool: pool, validator: current, requested: wanted },
  );
}

function rejectOtherAuthority({ pool, authority }: PoolParties, account: Account): void {
  const current = decodeStealthPool(account.data)?.authority ?? authority;
  if (current === authority) return;
  throw new ServiceError(
    'STEALTH_HANDLE_TAKEN',
    `The stealth pool ${pool} of this handle belongs to another authority; choose another handle, or pass its authority`,
    { field: 'handle', stealthPool: pool },
  );
}

/** The rent of the accounts that every setup creates, and the fee. The delegation metadata is extra. */
function lamportsNeeded(rent: Rent, { payer, authority }: PoolParties, exists: boolean): bigint {
  const created = exists ? [] : [STEALTH_POOL_BYTES, PERMISSION_BYTES, DELEGATION_RECORD_BYTES];
  const signatures = payer === authority ? 1n : 2n;
  return sumLamports(rent, created, signatures * LAMPORTS_PER_SIGNATURE);
}
