import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/** An eATA, its owner and its cluster. */
interface EataPlace {
  readonly eata: Address;
  readonly owner: Address;
  readonly cluster: string;
}

/**
 * Refuses a delegated eATA that the cluster's rollup cannot return, because another validator has it. Anyone
 * may delegate an eATA that is on base to any key (instruction 4 of the ephemeral token program does not
 * require the owner's signature), so there may be no rollup with that key at all.
 *
 * @param validator the validator that has the eATA.
 * @param rollupValidator the validator that runs the cluster's rollup.
 * @param consequence what is not possible meanwhile, as a sentence.
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
