import type { AccountReads } from '../../ledger/ledger.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * All keys a transaction would have that has not run yet. Those that its tables do not have are undefined; it
 * cannot run then.
 */
export function expectedKeys(
  { staticKeys, lookups }: Transaction,
  ledger: Pick<AccountReads, 'getAccount'>,
): readonly (Address | undefined)[] {
  if (lookups.length === 0) return staticKeys;
  const tables = lookups.map(({ table }) => decodeLookupTable(ledger.getAccount(table)?.data ?? NO_DATA));
  const load = (which: 'writable' | 'readonly') =>
    lookups.flatMap((lookup, at) => Array.from(lookup[which], (index) => tables[at]?.addresses[index]));
  return [...staticKeys, ...load('writable'), ...load('readonly')];
}

const NO_DATA = new Uint8Array(0);

/** Those whose signatures a transaction asks for; whether they have signed is to be seen yet. */
export function signersOf({ staticKeys, requiredSignatures }: Transaction): readonly Address[] {
  return staticKeys.slice(0, requiredSignatures);
}
