import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import {
  decodeStealthPool,
  STEALTH_POOL_BYTES,
} from '../../programs/ephemeral-token/layout-b/stealth-pool-state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import { readValidator } from '../rollup-state/delegation-record.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { isProgramAccount } from '../accounts/program-account.ts';
import type { Rent } from '../../solana/rent.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import { requireRent, sumLamports } from '../fees/rent-costs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { warnOfTooFewLamports } from '../warnings/account-warnings.ts';
import type { PoolParties } from './stealth-plan.ts';

/**
 * Reads what base shows of a pool to be set up, and its payer's balance. The rollup's own state, such as keys
 * never committed, is not read.
 *
 * @returns problems to fix before sending.
 * @throws {ServiceError} VALIDATOR_MISMATCH if the pool is delegated to another validator, where the setup
 *   would do nothing and the update fail; STEALTH_HANDLE_TAKEN if it has another authority.
 */
export async function judgePool(chain: Chain, parties: PoolParties, validator: Address): Promise<Warning[]> {
  const accounts = await readNamedAccounts(chain, {
    pool: parties.pool,
    record: deriveDelegationRecord(parties.pool).address,
    payer: parties.payer,
    rent: RENT_SYSVAR,
  });
  refuseOtherValidator(
    parties,
    readValidator(parties.pool, accounts.record, EPHEMERAL_TOKEN_PROGRAM),
    validator,
  );
  if (isProgramAccount(accounts.pool)) refuseOtherAuthority(parties, accounts.pool as Account);
  const held = accounts.payer?.lamports ?? 0n;
  const needed = lamportsNeeded(requireRent(accounts.rent), parties, isProgramAccount(accounts.pool));
  return held < needed ? [warnOfTooFewLamports('setup', { who: 'payer', held, needed })] : [];
}

function refuseOtherValidator({ pool }: PoolParties, current: Address | null, wanted: Address): void {
  if (current === null || current === wanted) return;
  throw new ServiceError(
    'VALIDATOR_MISMATCH',
    `The stealth pool ${pool} is delegated to validator ${current} and not to ${wanted}; pass validator ${current} and a cluster whose rollup it runs`,
    { field: 'validator', stealthPool: pool, validator: current, requested: wanted },
  );
}

function refuseOtherAuthority({ pool, authority }: PoolParties, account: Account): void {
  const current = decodeStealthPool(account.data)?.authority ?? authority;
  if (current === authority) return;
  throw new ServiceError(
    'STEALTH_HANDLE_TAKEN',
    `The stealth pool ${pool} of this handle belongs to another authority; choose another handle, or pass its authority`,
    { field: 'handle', stealthPool: pool },
  );
}

/** The rent of what the setup always creates, and the fee. The delegation metadata is extra. */
function lamportsNeeded(rent: Rent, { payer, authority }: PoolParties, exists: boolean): bigint {
  const created = exists ? [] : [STEALTH_POOL_BYTES, PERMISSION_BYTES, DELEGATION_RECORD_BYTES];
  const signatures = payer === authority ? 1n : 2n;
  return sumLamports(rent, created, signatures * LAMPORTS_PER_SIGNATURE);
}
