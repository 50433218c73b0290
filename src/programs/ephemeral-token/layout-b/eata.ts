import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import { EATA_TABLE } from '../table/eata.ts';
import { QUEUE_TABLE } from '../table/queue.ts';

/** Tag 0: creates the owner's eATA; does nothing if it exists, delegated or not. */
export const initEata = (accounts: AccountsOf<typeof EATA_TABLE.initEata>): Instruction =>
  encode(EATA_TABLE.initEata, accounts);

/**
 * Tag 4: delegates the eATA to a validator. Does nothing if it is delegated to that validator; fails (custom
 * 7) if to another. Without `validator` the delegation program uses its own default, so callers should always
 * pass one.
 */
export const delegateEata = (
  accounts: AccountsOf<typeof EATA_TABLE.delegateEata>,
  validator: Address | null,
): Instruction => encode(EATA_TABLE.delegateEata, accounts, { validator });

/** Pays for an undelegation if the owner's wallet is itself delegated: the fee vault of that validator. */
export interface DelegatedOwner {
  readonly validator: Address;
  readonly magicFeeVault: Address;
}

/**
 * Tag 5, sent to the rollup: requests that the eATA is settled and undelegated.
 *
 * @param delegatedOwner null for an ordinary wallet. The program accepts fee vault and validator only
 *   together.
 */
export function undelegateEata(
  accounts: AccountsOf<typeof EATA_TABLE.undelegateEata>,
  delegatedOwner: DelegatedOwner | null,
): Instruction {
  if (delegatedOwner === null) return encode(EATA_TABLE.undelegateEata, accounts);
  const { magicFeeVault, validator } = delegatedOwner;
  return encode(EATA_TABLE.undelegateEataOfDelegated, { ...accounts, magicFeeVault }, { validator });
}

/** Tag 6: creates the eATA's permission account. A payer other than the owner may only pass flags 0. */
export const createPermission = (
  accounts: AccountsOf<typeof EATA_TABLE.createPermission>,
  flags: number,
): Instruction => encode(EATA_TABLE.createPermission, accounts, { flags });

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

/** Tag 23: creates the rent PDA, which pays the rent of shuttles; does nothing if it exists. */
export const initRentPda = (accounts: AccountsOf<typeof QUEUE_TABLE.initRentPda>): Instruction =>
  encode(QUEUE_TABLE.initRentPda, accounts);
