import type { Chain, Layout, Rollup } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { readValidator } from '../rollup-state/delegation-record.ts';
import { judgeEata, recordUnreadable } from '../rollup-state/eata-status.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { requireOwnValidator } from '../rollup-state/other-validator.ts';
import { isSettlingOn, stillSettling } from '../rollup-state/settling.ts';

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
  const status = judgeEata(eata, found.eata, found.record, chain.layout);
  if (status.at !== 'rollup') throw notDelegated({ eata, owner }, status.at === 'nowhere', chain.layout);
  if (isSettling) throw stillSettling({ eata, owner }, 'it need not be asked for again', 'then withdraw');
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
  const mend = isMissing
    ? 'does not exist: nothing of this mint was deposited'
    : `is not delegated: it can be withdrawn from as it is (${how})`;
  return new ServiceError('EATA_NOT_DELEGATED', `The ephemeral token account ${eata} of ${owner} ${mend}`, {
    eata,
    owner,
  });
}
