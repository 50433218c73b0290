import { ADDRESS_LOOKUP_TABLE_PROGRAM, NATIVE_LOADER, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import { deployedAtGenesis, isProgramData } from '../genesis/program-accounts.ts';

/** `LookupTableMeta`: where the slot of the last extension (u64) begins, and the index after it (u8). */
const LAST_EXTENDED_AT = 12;
const AUTHORITY_TAG_AT = 21;

/**
 * An account of a cluster as this ledger can use it. Slots of a cluster lie far ahead of those here: code
 * deployed there, and addresses put into a lookup table there, would still be in the future, so they count as
 * there from the beginning.
 */
export function makeLocal(account: Account): Account {
  if (isProgramData(account)) return deployedAtGenesis(account);
  // A copy: what came over the network may be a small part of a large buffer, all of which would be kept.
  const data = new Uint8Array(account.data);
  const isTable = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM && decodeLookupTable(data) !== null;
  if (isTable) data.fill(0, LAST_EXTENDED_AT, AUTHORITY_TAG_AT);
  return { ...account, data };
}

/**
 * Whether an account is part of what a ledger consists of, sysvars and native programs: every ledger has its
 * own.
 */
export function isPartOfLedger({ owner }: Account): boolean {
  return owner === SYSVAR_OWNER || owner === NATIVE_LOADER;
}
