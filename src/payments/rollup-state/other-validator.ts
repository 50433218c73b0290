import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/** Whose eATA it is, on which cluster. */
interface EataPlace {
  readonly eata: Address;
  readonly owner: Address;
  readonly cluster: string;
}

/**
 * Refuses to go on with a delegated eATA that the cluster's rollup cannot give back, as another validator has it. Anybody
 * may delegate an eATA that is on base to any key (instruction 4 of the ephemeral token program takes no signature of the
 * owner's), so that it need not be one that any rollup runs with.
 *
 * @param validator who has the eATA.
 * @param rollupValidator who runs the cluster's rollup.
 * @param consequence what cannot be done meanwhile, as a sentence.
 * @throws {ServiceError} EATA_DELEGATED_ELSEWHERE.
 */
export function requireOwnValidator(
  place: EataPlace,
  validator: Address,
  rollupValidator: Address,
  consequence: string,
): void {
  if (validator === rollupValidator) return;
  const { eata, owner, cluster } = place;
  throw new ServiceError(
    'EATA_DELEGATED_ELSEWHERE',
    `The ephemeral token account ${eata} of ${owner} is delegated to ${validator}, and the rollup of cluster ${cluster} is run by ${rollupValidator}. ${consequence} Only the validator whose key ${validator} is can give it back, on a rollup of its own; neither its owner nor this service can without it.`,
    { eata, owner, validator, rollupValidator },
  );
}
