import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { EATA_TABLE } from '../table/eata.ts';

/** Tag 1: creates the vault of a mint with its eATA and ATA; does nothing if they exist. */
export const initVault = (accounts: AccountsOf<typeof EATA_TABLE.initVault>): Instruction =>
  encode(EATA_TABLE.initVault, accounts);

/**
 * Tag 2: moves tokens from the owner's ATA into the vault and credits the eATA, which must not be delegated.
 */
export const deposit = (accounts: AccountsOf<typeof EATA_TABLE.deposit>, amount: bigint): Instruction =>
  encode(EATA_TABLE.deposit, accounts, { amount });

/**
 * Tag 3: moves tokens from the vault back to the owner's ATA and debits the eATA, which must not be
 * delegated.
 */
export const withdraw = (accounts: AccountsOf<typeof EATA_TABLE.withdraw>, amount: bigint): Instruction =>
  encode(EATA_TABLE.withdraw, accounts, { amount });
