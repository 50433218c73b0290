import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { requireOwnValidator } from './other-validator.ts';
import { stillSettling } from './settling.ts';

/** The owner and the mint of an eATA. */
interface EataOf {
  readonly eata: Address;
  readonly owner: Address;
  readonly mint: Address;
}

/** The state of a delegated eATA. */
export interface Delegated {
  /** The validator that has it; null if its record does not say. */
  readonly validator: Address | null;
  /** Whether the cluster's rollup is returning it. */
  readonly isSettling: boolean;
}

/** Texts for a request that conflicts with a delegated eATA. */
export interface DelegatedWords {
  /** What is not possible while it returns to base, and what to do then. */
  readonly settling: { readonly what: string; readonly mend: string };
  /** What is not possible while another rollup's validator has it, as a sentence. */
  readonly elsewhere: string;
  /** The problem otherwise, and the way out; `to` names the validator. */
  readonly delegated: (to: string) => string;
}

/**
 * Refuses a request that conflicts with a delegated eATA.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, otherwise EATA_ALREADY_DELEGATED.
 */
export async function refuseDelegated(
  { cluster, rollup }: Chain,
  place: EataOf,
  { validator, isSettling }: Delegated,
  { settling, elsewhere, delegated }: DelegatedWords,
): Promise<never> {
  if (isSettling) throw stillSettling(place, settling.what, settling.mend);
  if (rollup !== null && validator !== null) {
    requireOwnValidator({ ...place, cluster }, validator, await rollup.identity(), elsewhere);
  }
  throw alreadyDelegated(place, validator, delegated);
}

/** The error for a delegated eATA, even if the right validator has it. */
export function alreadyDelegated(
  { eata, owner, mint }: EataOf,
  validator: Address | null,
  told: DelegatedWords['delegated'],
): ServiceError {
  const to = validator === null ? 'a validator' : `validator ${validator}`;
  return new ServiceError(
    'EATA_ALREADY_DELEGATED',
    `The ephemeral token account ${eata} of ${owner} ${told(to)}`,
    { eata, owner, mint, ...(validator === null ? {} : { validator }) },
  );
}
