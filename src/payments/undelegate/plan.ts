import type { Chain, Layout, Rollup } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord, deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { undelegateEata } from '../../programs/ephemeral-token/layout-b/eata.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { readNamedAccounts } from '../accounts/read-accounts.ts';
import { isSettlingOn, requireOwnValidator, stillSettling } from '../rollup-state/delegated-eata.ts';
import { eataStatusOf, readValidator, recordUnreadable } from '../rollup-state/eata-status.ts';

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

/** The chain's state for an undelegation. */
interface UndelegateState {
  /** The validator that has the eATA, which is the one that runs the cluster's rollup. */
  readonly validator: Address;
  /** The validator the owner's wallet is itself delegated to; null for an ordinary wallet. */
  readonly walletValidator: Address | null;
}

/**
 * Reads from base which validator has an owner's eATA, and whether the cluster's rollup can return it.
 *
 * @throws {ServiceError} EATA_NOT_DELEGATED, EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, VALIDATOR_MISMATCH,
 *   ACCOUNT_UNREADABLE.
 */
export async function readUndelegateState(
  chain: Chain,
  rollup: Rollup,
  { owner, mint }: { readonly owner: Address; readonly mint: Address },
): Promise<UndelegateState> {
  const eata = deriveEata(owner, mint).address;
  const [isSettling, found, rollupValidator] = await Promise.all([
    isSettlingOn(chain, eata),
    readNamedAccounts(chain, {
      eata,
      record: deriveDelegationRecord(eata).address,
      walletRecord: deriveDelegationRecord(owner).address,
    }),
    rollup.identity(),
  ]);
  const status = eataStatusOf(eata, found.eata, found.record, chain.layout);
  if (status.at !== 'rollup') throw notDelegated({ eata, owner }, status.at === 'nowhere', chain.layout);
  if (isSettling) throw stillSettling({ eata, owner }, 'it need not be requested again', 'then withdraw');
  if (status.validator === null) throw recordUnreadable(eata);
  const place = { eata, owner, cluster: chain.cluster };
  requireOwnValidator(place, status.validator, rollupValidator, 'That rollup cannot undelegate it.');
  const walletValidator = readValidator(owner, found.walletRecord, SYSTEM_PROGRAM);
  if (walletValidator !== null && walletValidator !== rollupValidator) {
    throw new ServiceError(
      'VALIDATOR_MISMATCH',
      `Payer and ephemeral ATA are delegated to different validators: payer ${owner} to ${walletValidator}, the ephemeral token account ${eata} to ${rollupValidator}; undelegate the payer's wallet first`,
      { field: 'payer', payerValidator: walletValidator, eataValidator: rollupValidator },
    );
  }
  return { validator: rollupValidator, walletValidator };
}

function notDelegated(
  { eata, owner }: { readonly eata: Address; readonly owner: Address },
  isMissing: boolean,
  layout: Layout,
): ServiceError {
  const how = layout === 'a' ? 'spl.withdraw' : 'spl.withdraw, with idempotent false';
  const advice = isMissing
    ? 'does not exist: nothing of this mint was deposited'
    : `is not delegated: it can be withdrawn from directly (${how})`;
  return new ServiceError('EATA_NOT_DELEGATED', `The ephemeral token account ${eata} of ${owner} ${advice}`, {
    eata,
    owner,
  });
}
