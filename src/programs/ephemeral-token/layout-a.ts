import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { type AccountsOf, encode } from '../instruction-table/encode.ts';
import { EATA_TABLE, EATA_TABLE_A } from './table/eata.ts';

/** Instructions of the ephemeral SPL token program as of January 2026 ("layout A"). */

/** Tag 0: creates the owner's eATA; does nothing if it exists and is not delegated. */
export const initEata = (accounts: AccountsOf<typeof EATA_TABLE_A.initEata>, eataBump: number): Instruction =>
  encode(EATA_TABLE_A.initEata, accounts, { eataBump });

/** Tag 1: creates the vault of a mint; does nothing if it exists. */
export const initVault = (
  accounts: AccountsOf<typeof EATA_TABLE_A.initVault>,
  vaultBump: number,
): Instruction => encode(EATA_TABLE_A.initVault, accounts, { vaultBump });

/** The accounts tokens move between: the ATAs of the owner and of the vault. */
export type VaultTransferAccounts = AccountsOf<typeof EATA_TABLE.deposit>;

/** Tag 2: moves tokens from the owner's ATA into the vault and credits the eATA. */
export const deposit = (accounts: VaultTransferAccounts, amount: bigint): Instruction =>
  encode(EATA_TABLE.deposit, accounts, { amount });

/**
 * Tag 3: moves tokens from the vault back to the owner's ATA and debits the eATA, which must not be
 * delegated.
 */
export const withdraw = (accounts: VaultTransferAccounts, amount: bigint, vaultBump: number): Instruction =>
  encode(EATA_TABLE_A.withdraw, accounts, { amount, vaultBump });

/**
 * Tag 4: delegates the eATA to a validator. Without `validator` the delegation program uses its own default
 * identity, so callers should always pass one.
 */
export const delegateEata = (
  accounts: AccountsOf<typeof EATA_TABLE_A.delegateEata>,
  eataBump: number,
  validator: Address | null,
): Instruction => encode(EATA_TABLE_A.delegateEata, accounts, { eataBump, validator });

/** Tag 5, sent to the rollup: requests that the eATA is settled and undelegated. */
export const undelegateEata = (accounts: AccountsOf<typeof EATA_TABLE.undelegateEata>): Instruction =>
  encode(EATA_TABLE.undelegateEata, accounts);

/** Tag 6: creates the eATA's permission account. A payer other than the owner may only pass flags 0. */
export const createPermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.createPermission>,
  eataBump: number,
  flags: number,
): Instruction => encode(EATA_TABLE_A.createPermission, accounts, { eataBump, flags });

/** Tag 7: delegates the permission account to a validator. `delegation` is that of the permission account. */
export const delegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.delegatePermission>,
  eataBump: number,
): Instruction => encode(EATA_TABLE_A.delegatePermission, accounts, { eataBump });

/** Tag 8, sent to the rollup: requests that the permission account is undelegated. */
export const undelegatePermission = (
  accounts: AccountsOf<typeof EATA_TABLE.undelegatePermission>,
): Instruction => encode(EATA_TABLE.undelegatePermission, accounts);

/** Tag 9: resets the permission of the eATA to the owner with these flags. */
export const resetPermission = (
  accounts: AccountsOf<typeof EATA_TABLE_A.resetPermission>,
  eataBump: number,
  flags: number,
): Instruction => encode(EATA_TABLE_A.resetPermission, accounts, { eataBump, flags });
