import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { delegatedValidator } from '../../programs/delegation/record.ts';
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
    `What stands in place of the delegation record of ${account} is not a delegation record of an account of ${owner} that names a validator`,
    { account, owner },
  );
}
