import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { encode, type AccountsOf } from '../instruction-table/encode.ts';
import { EATA_TABLE, EATA_TABLE_A } from './table/eata.ts';

export type { DelegationAccounts } from '../delegation/delegation-accounts.ts';

/** Instructions of the ephemeral SPL token program as of January 2026 ("layout A"). */

/** Tag 0: creates the owner's eATA; does nothing when it is there and not delegated. */
export const initEata = (accounts: AccountsOf<typeof EATA_TABLE_A.initEata>, eataBump: number): Instruction =>
  encode(EATA_TABLE_A.initEata, accounts, { eataBump });

/** Tag 1: creates the vault of a mint; does nothing when it is there. */
export const initVault = (
  accounts: AccountsOf<typeof EATA_TABLE_A.initVault>,
  vaultBump: number,
): Instruction => encode(EATA_TABLE_A.initVault, accounts, { vaultBump });

/** The accounts tokens move between: the owner's ATA and the vault's. */
export type VaultTransferAccounts = AccountsOf<typeof EATA_TABLE.deposit>;

/** Tag 2: moves tokens from the owner's ATA into the vault and credits the eATA. */
export const deposit = (accounts: VaultTransferAccounts, amount: bigint): Instruction =>
  encode(EATA_TABLE.deposit, accounts, { amount });

/** Tag 3: moves tokens from the vault back to the owner's ATA and debits the eATA, which must not be delegated. */
export const withdraw = (accounts: VaultTransferAccounts, amount: bigint, vaultBump: number): Instruction =>
  encode(EATA_TABLE_A.withdraw, accounts, { amount, vaultBump });

/**
 * Tag 4: hands the eATA over to a validator. Without `validator` the delegation program falls back on its own default
 * identity, so callers should always name one.
 */
export const delegateEata = (
  accounts: AccountsOf<typeof EATA_TABLE_A.delegateEata>,
  eataBump: number,
  validator: Address | null,
): Instruction => encode(EATA_TABLE_A.delegateEata, accounts, { eataBump, validator });

/** Tag 5, sent to the rollup: asks for the eATA to be settled and given back to its owner. */
export const undelegateEata = (accounts: AccountsOf<typeof EATA_TABLE.undelegateEata>): Instruction =>
  encode(EATA_TABLE.undelegateEata, accounts);

/** Tag 6: creates the eATA's permission account. A payer who is not the owner may only pass flags 0. */
export const createPermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.createPermission>,
  eataBump: number,
  flags: number,
): Instruction => encode(EATA_TABLE_A.createPermission, accounts, { eataBump, flags });

/** Tag 7: hands the permission account over to a validator too. `delegation` belongs to the permission account. */
export const delegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.delegatePermission>,
  eataBump: number,
): Instruction => encode(EATA_TABLE_A.delegatePermission, accounts, { eataBump });

/** Tag 8, sent to the rollup: asks for the permission account to be given back. */
export const undelegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE.undelegatePermission>,
): Instruction => encode(EATA_TABLE.undelegatePermission, accounts);

/** Tag 9: sets the owner's flags in the eATA's permission anew. */
export const resetPermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.resetPermission>,
  eataBump: number,
  flags: number,
): Instruction => encode(EATA_TABLE_A.resetPermission, accounts, { eataBump, flags });
