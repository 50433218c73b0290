import { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { delegatedValidator } from '../../programs/delegation/record.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/**
 * The validator that an account is delegated to; null when it is not. Money is sealed for that validator, so
 * that nothing but a record of the account's own program is read as one. Lamports sent to the address of a
 * record leave a system account there, which is none.
 *
 * @param account the account that may be delegated, for the error.
 * @param record what is at the address of its delegation record.
 * @param owner the program the account belongs to while it is not delegated.
 * @throws {ServiceError} ACCOUNT_UNREADABLE when something is there that is not its delegation record.
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
