import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../programs/addresses.ts';
import { decodeLookupTable } from '../../../programs/lookup-table.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { LookupTable } from '../../../solana/v0-message.ts';

/**
 * The lookup table in the account at `address`. Null if it should not be used: it is missing, does not belong
 * to the lookup table program, is malformed or is being deactivated.
 */
export function usableLookupTable(address: Address, account: Account | null): LookupTable | null {
  if (account === null || account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return null;
  const table = decodeLookupTable(account.data);
  // A deactivated table works for a while, but may be closed by the time the transaction is sent.
  return table === null || table.deactivationSlot !== null ? null : { address, addresses: table.addresses };
}
