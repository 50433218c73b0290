import { deriveAta } from '../../programs/associated-token.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { undelegateEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';

/** An undelegation of an owner's eATA. */
interface UndelegatePlan {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The validator the owner's wallet is itself delegated to; null for an ordinary wallet. Layout B only. */
  readonly walletValidator: Address | null;
}

/**
 * The instruction of an undelegation, for the rollup. For an ordinary wallet it is the same on both layouts.
 */
export function planUndelegate({
  owner,
  mint,
  tokenProgram,
  walletValidator,
}: UndelegatePlan): Instruction[] {
  const accounts = {
    owner,
    ownerAta: deriveAta(owner, mint, tokenProgram).address,
    eata: deriveEata(owner, mint).address,
  };
  const delegatedOwner =
    walletValidator === null
      ? null
      : { validator: walletValidator, magicFeeVault: deriveMagicFeeVault(walletValidator).address };
  return [undelegateEata(accounts, delegatedOwner)];
}
