import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { EATA_TABLE } from '../table/eata.ts';

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
 * @param delegatedOwner null for an ordinary wallet. The program takes fee vault and validator together or
 *   not at all.
 */
export function undelegateEata(
  accounts: AccountsOf<typeof EATA_TABLE.undelegateEata>,
  delegatedOwner: DelegatedOwner | null,
): Instruction {
  if (delegatedOwner === null) return encode(EATA_TABLE.undelegateEata, accounts);
  const { magicFeeVault, validator } = delegatedOwner;
  return encode(EATA_TABLE.undelegateEataOfDelegated, { ...accounts, magicFeeVault }, { validator });
}
