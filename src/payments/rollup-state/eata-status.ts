import type { Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { delegatedValidator } from '../../programs/delegation/state.ts';
import { decodeEata, EATA_BYTES_A, EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/**
 * The validator an account is delegated to; null if it is not delegated. Money is sealed for that validator,
 * so only a record of the account's own program is accepted. Lamports sent to the record's address leave a
 * system account there, which is not a record.
 *
 * @param account the possibly delegated account, for the error.
 * @param record the account at the address of its delegation record.
 * @param owner the program that owns the account while it is not delegated.
 * @throws {ServiceError} ACCOUNT_UNREADABLE if that account is not its delegation record.
 */
export function readValidator(account: Address, record: Account | null, owner: Address): Address | null {
  if (record === null || record.lamports === 0n || record.owner === SYSTEM_PROGRAM) return null;
  const validator = delegatedValidator(record, owner);
  if (validator !== null) return validator;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The account at the address of the delegation record of ${account} is not a delegation record of an account of ${owner} that names a validator`,
    { account, owner },
  );
}

/**
 * State of an eATA on base. Only the rollup knows the amount of a delegated one: base has that of the last
 * settlement.
 */
export type EataStatus =
  | { readonly at: 'nowhere' }
  | { readonly at: 'base'; readonly amount: bigint }
  /**
   * `validator` is null if the delegation program owns the eATA but no delegation record names a validator.
   */
  | { readonly at: 'rollup'; readonly validator: Address | null };

/**
 * Derives the state of an eATA from its account and its delegation record.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE if it is not in the format of the cluster's layout, or if the
 *   account in place of its delegation record is not one.
 */
export function eataStatusOf(
  eata: Address,
  account: Account | null,
  record: Account | null,
  layout: Layout,
): EataStatus {
  const validator = readValidator(eata, record, EPHEMERAL_TOKEN_PROGRAM);
  if (validator !== null || account?.owner === DELEGATION_PROGRAM) return { at: 'rollup', validator };
  // A system account here holds lamports that someone sent before the creation. The program then takes it
  // over.
  if (account === null || account.owner !== EPHEMERAL_TOKEN_PROGRAM) return { at: 'nowhere' };
  const decoded = decodeEata(account.data);
  if (decoded === null || (layout === 'a' && account.data.length !== EATA_BYTES_A)) {
    const expected = layout === 'a' ? EATA_BYTES_A : EATA_BYTES_B;
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The ephemeral token account ${eata} has ${account.data.length} bytes instead of ${expected}: this cluster runs another program layout than configured`,
      { eata },
    );
  }
  return { at: 'base', amount: decoded.amount };
}

/**
 * Rejects an eATA that is delegated to a validator other than `validator`, like the program.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH; ACCOUNT_UNREADABLE if its validator is unknown.
 */
export function requireValidator(eata: Address, status: EataStatus, validator: Address): void {
  if (status.at !== 'rollup' || status.validator === validator) return;
  if (status.validator === null) throw recordUnreadable(eata);
  throw new ServiceError(
    'EATA_VALIDATOR_MISMATCH',
    `The ephemeral token account ${eata} is delegated to validator ${status.validator} and not to ${validator}: pass validator ${status.validator}, or undelegate it on that validator's rollup first`,
    { field: 'validator', eata, validator: status.validator, requested: validator },
  );
}

/** Advice for a delegated eATA on a cluster without a known rollup to undelegate it. */
export const staysDelegated = (cluster: string): string =>
  `Cluster ${cluster} has no rollup configured to undelegate it on, so the deposit stays delegated: use another wallet or another cluster.`;

/** The error for an eATA that is delegated to an unknown validator. */
export const recordUnreadable = (eata: Address): ServiceError =>
  new ServiceError(
    'ACCOUNT_UNREADABLE',
    `The ephemeral token account ${eata} is delegated, but its delegation record cannot be read`,
    { eata },
  );
