import type { Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeEata, EATA_BYTES_A, EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { readValidator } from './delegation-record.ts';

/**
 * The state of an eATA as seen on base. Only the rollup knows what a delegated one holds: the amount on base
 * is that of the last settlement.
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
export function judgeEata(
  eata: Address,
  account: Account | null,
  record: Account | null,
  layout: Layout,
): EataStatus {
  const validator = readValidator(eata, record, EPHEMERAL_TOKEN_PROGRAM);
  if (validator !== null || account?.owner === DELEGATION_PROGRAM) return { at: 'rollup', validator };
  // Lamports sent to the address before its creation leave a system account there, which the program then
  // takes over.
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
 * Refuses an eATA that is delegated to another validator than `validator`, as the program would.
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
