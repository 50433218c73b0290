import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../../programs/addresses.ts';
import { decodeLookupTable } from '../../../programs/lookup-table.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { LookupTable } from '../../../solana/v0-message.ts';

/**
 * The lookup table in the account at `address`, or why it is not used, as the end of a sentence. Who its
 * authority is does not matter: addresses can be added to a table, but none of them ever changes.
 */
export function judgeLookupTable(address: Address, account: Account | null): LookupTable | string {
  if (account === null) return 'does not exist';
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return `belongs to program ${account.owner}`;
  const table = decodeLookupTable(account.data);
  if (table === null) return 'is malformed';
  // A deactivated table works for a while, but may be closed by the time the transaction is sent.
  if (table.deactivationSlot !== null) return 'is being put out of use';
  return { address, addresses: table.addresses };
}

/** The table that a transfer uses, and what there is to say of one that it does not use. */
interface TableChoice {
  readonly lookupTable: LookupTable | null;
  readonly notes: readonly string[];
}

/** Chooses the table that the operator's setting names; `address` is null where it names none. */
export function chooseLookupTable(address: Address | null, account: Account | null): TableChoice {
  if (address === null) return { lookupTable: null, notes: [] };
  const judged = judgeLookupTable(address, account);
  if (typeof judged !== 'string') return { lookupTable: judged, notes: [] };
  const note = `Lookup table ${address}, which the operator's setting names, ${judged}: the transaction does without.`;
  return { lookupTable: null, notes: [note] };
}
