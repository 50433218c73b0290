import { ADDRESS_LOOKUP_TABLE_PROGRAM, NATIVE_LOADER, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import { deployedAtGenesis, isProgramData } from '../genesis/program-accounts.ts';

/** `LookupTableMeta`: offsets of the slot of the last extension (u64) and of the index after it (u8). */
const LAST_EXTENDED_AT = 12;
const AUTHORITY_TAG_AT = 21;

/**
 * Adapts an account of a cluster to this ledger. The cluster's slots are far ahead of the local ones, so code
 * deployed there and addresses added to a lookup table would lie in the future. They are dated back to slot
 * 0.
 */
export function makeLocal(account: Account): Account {
  if (isProgramData(account)) return deployedAtGenesis(account);
  // A copy: the answer's data may be a small view of a large buffer, which would stay in memory.
  const data = new Uint8Array(account.data);
  const isTable = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM && decodeLookupTable(data) !== null;
  if (isTable) data.fill(0, LAST_EXTENDED_AT, AUTHORITY_TAG_AT);
  return { ...account, data };
}

/**
 * Whether an account is part of the ledger itself, a sysvar or a native program. Every ledger has its own.
 */
export function isPartOfLedger({ owner }: Account): boolean {
  return owner === SYSVAR_OWNER || owner === NATIVE_LOADER;
}
