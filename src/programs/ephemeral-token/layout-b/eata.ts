import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { encode, type AccountsOf } from '../../instruction-table/encode.ts';
import { EATA_TABLE } from '../table/eata.ts';

/** Tag 0: creates the owner's eATA; does nothing when it is there, delegated or not. */
export const initEata = (accounts: AccountsOf<typeof EATA_TABLE.initEata>): Instruction =>
  encode(EATA_TABLE.initEata, accounts);

/**
 * Tag 4: hands the eATA over to a validator; does nothing when it is delegated to that one, fails (custom 7) when to
 * another. Without `validator` the delegation program falls back on its own default, so callers should always name one.
 */
export const delegateEata = (
  accounts: AccountsOf<typeof EATA_TABLE.delegateEata>,
  validator: Address | null,
): Instruction => encode(EATA_TABLE.delegateEata, accounts, { validator });

/** Who pays for an undelegation when the owner's wallet is itself delegated: the fee vault of that validator. */
export interface DelegatedOwner {
  readonly validator: Address;
  readonly magicFeeVault: Address;
}

/**
 * Tag 5, sent to the rollup: asks for the eATA to be settled and given back to its owner. `delegatedOwner` is null for
 * an ordinary wallet; the program takes the fee vault and the validator together or not at all.
 */
export function undelegateEata(
  accounts: AccountsOf<typeof EATA_TABLE.undelegateEata>,
  delegatedOwner: DelegatedOwner | null,
): Instruction {
  if (delegatedOwner === null) return encode(EATA_TABLE.undelegateEata, accounts);
  const { magicFeeVault, validator } = delegatedOwner;
  return encode(EATA_TABLE.undelegateEataOfDelegated, { ...accounts, magicFeeVault }, { validator });
}
