import { addressBytes, type Address } from '../../../solana/address.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../../../solana/instruction.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM, SYSTEM_PROGRAM } from '../../addresses.ts';
import { trailing } from '../../instruction-data.ts';
import type { DelegationAccounts } from '../layout-a.ts';
import { call, delegationMetas, TAG } from './call.ts';

/** Tag 0: creates the owner's eATA; does nothing when it is there, delegated or not. */
export function initEata(accounts: {
  eata: Address;
  payer: Address;
  owner: Address;
  mint: Address;
}): Instruction {
  return call(TAG.initEata, [
    writable(accounts.eata),
    writableSigner(accounts.payer),
    readonly(accounts.owner),
    readonly(accounts.mint),
    readonly(SYSTEM_PROGRAM),
  ]);
}

/**
 * Tag 4: hands the eATA over to a validator; does nothing when it is delegated to that one, fails (custom 7) when to
 * another. Without `validator` the delegation program falls back on its own default, so callers should always name one.
 */
export function delegateEata(
  accounts: { payer: Address; eata: Address; delegation: DelegationAccounts },
  validator: Address | null,
): Instruction {
  return call(
    TAG.delegateEata,
    [
      writableSigner(accounts.payer),
      writable(accounts.eata),
      ...delegationMetas(accounts.delegation),
      readonly(SYSTEM_PROGRAM),
    ],
    trailing(validator),
  );
}

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
  accounts: { owner: Address; ownerAta: Address; eata: Address },
  delegatedOwner: DelegatedOwner | null,
): Instruction {
  const metas = [
    signer(accounts.owner),
    writable(accounts.ownerAta),
    readonly(accounts.eata),
    writable(MAGIC_CONTEXT),
    readonly(MAGIC_PROGRAM),
  ];
  if (delegatedOwner === null) return call(TAG.undelegateEata, metas);
  const { magicFeeVault, validator } = delegatedOwner;
  return call(TAG.undelegateEata, [...metas, writable(magicFeeVault)], addressBytes(validator));
}
