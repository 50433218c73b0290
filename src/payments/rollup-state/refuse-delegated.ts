import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { requireOwnValidator } from './other-validator.ts';
import { stillSettling } from './settling.ts';

/** Whose eATA it is, and for which tokens. */
interface EataOf {
  readonly eata: Address;
  readonly owner: Address;
  readonly mint: Address;
}

/** How a delegated eATA stands. */
export interface Delegated {
  /** Who has it; null when its record does not say. */
  readonly validator: Address | null;
  /** Whether the cluster's rollup is giving it back. */
  readonly isSettling: boolean;
}

/** What is said to whoever asks for something that a delegated eATA does not go with. */
export interface DelegatedWords {
  /** What cannot be done while it is on its way back, and what to do then. */
  readonly settling: { readonly what: string; readonly mend: string };
  /** What cannot be done while a validator has it whose rollup is another, as a sentence. */
  readonly elsewhere: string;
  /** What is the matter otherwise, and the way out; `to` names the validator. */
  readonly delegated: (to: string) => string;
}

/**
 * Refuses what cannot be done while the eATA is delegated.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, else EATA_ALREADY_DELEGATED.
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

/** The error for an eATA that is delegated, be it to the validator that should have it. */
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
