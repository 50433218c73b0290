import { ServiceError } from '../../errors/service-error.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { programDataOf } from '../genesis/program-accounts.ts';
import type { AccountSource } from './cluster-accounts.ts';
import { isPartOfLedger, makeLocal } from './make-local.ts';

/** What is to be copied from a cluster. */
export interface CloneList {
  /** `--clone`: these must exist there. */
  readonly accounts: readonly Address[];
  /** `--maybe-clone`: these are passed over where they do not. */
  readonly optional: readonly Address[];
  /** `--clone-upgradeable-program`: these must be upgradeable programs. */
  readonly programs: readonly Address[];
  /**
   * `--deep-clone-address-lookup-table`: these must be lookup tables, and what they name is copied where it
   * exists.
   */
  readonly tables: readonly Address[];
}

/**
 * Copies accounts from a cluster, those that hold the code of upgradeable programs along with these.
 *
 * @param isLeft what is not copied along with the table that names it.
 * @throws {ServiceError} PROVISION_INVALID for an account that is not there or not what it should be,
 *   UPSTREAM_* when the cluster does not answer.
 */
export async function cloneAccounts(
  source: AccountSource,
  list: CloneList,
  isLeft: (address: Address) => boolean = () => false,
): Promise<AccountEntry[]> {
  const addresses = [...new Set([...list.accounts, ...list.optional, ...list.programs, ...list.tables])];
  const found = new Map(await readExisting(source, addresses));
  const named = list.tables.flatMap((table) => addressesOf(requireAccount(found, TABLE_FLAG, table), table));
  const others = [...new Set(named)].filter((address) => !found.has(address) && !isLeft(address));
  for (const [address, account] of await readExisting(source, others)) found.set(address, account);
  for (const address of list.accounts) requireAccount(found, '--clone', address);
  for (const address of list.programs) {
    if (programDataOf(requireAccount(found, PROGRAM_FLAG, address)) !== null) continue;
    throw refusal(PROGRAM_FLAG, address, 'it is no upgradeable program');
  }
  const entries = toLocalEntries(new Map([...(await readCode(source, found)), ...found]));
  const copied = new Set(entries.map(([address]) => address));
  for (const address of list.accounts) if (!copied.has(address)) throw refusal('--clone', address, CLOSED);
  for (const address of list.programs) if (!copied.has(address)) throw refusal(PROGRAM_FLAG, address, CLOSED);
  return entries;
}

const PROGRAM_FLAG = '--clone-upgradeable-program';
const TABLE_FLAG = '--deep-clone-address-lookup-table';
const CLOSED = 'it was closed there';

/** What a lookup table names. */
function addressesOf({ owner, data }: Account, table: Address): readonly Address[] {
  const state = owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(data) : null;
  if (state === null) throw refusal(TABLE_FLAG, table, 'it is no lookup table');
  return state.addresses;
}

/**
 * Accounts of a cluster as entries for a ledger. Left out is what every ledger has of its own, and programs
 * that were closed: the engine has no place for a program without code.
 */
export function toLocalEntries(accounts: ReadonlyMap<Address, Account>): AccountEntry[] {
  const entries: AccountEntry[] = [];
  for (const [address, account] of accounts) {
    const code = programDataOf(account);
    const isClosed = code !== null && !accounts.has(code);
    if (!isClosed && !isPartOfLedger(account)) entries.push([address, makeLocal(account)]);
  }
  return entries;
}

/** The code of the upgradeable programs among accounts. Each is asked for by itself, as it may be large. */
export async function readCode(
  source: AccountSource,
  accounts: ReadonlyMap<Address, Account>,
): Promise<ReadonlyMap<Address, Account>> {
  const code = new Map<Address, Account>();
  for (const account of accounts.values()) {
    const address = programDataOf(account);
    if (address === null || accounts.has(address)) continue;
    for (const [found, data] of await readExisting(source, [address])) code.set(found, data);
  }
  return code;
}

/** The accounts at these addresses that there are. */
export async function readExisting(
  source: AccountSource,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, Account>> {
  const accounts = addresses.length === 0 ? [] : await source.getAccounts(addresses);
  const existing = new Map<Address, Account>();
  for (const [index, account] of accounts.entries()) {
    if (account !== null) existing.set(addresses[index] as Address, account);
  }
  return existing;
}

function requireAccount(found: ReadonlyMap<Address, Account>, flag: string, address: Address): Account {
  const account = found.get(address);
  if (account === undefined) throw refusal(flag, address, 'it does not exist there');
  if (isPartOfLedger(account)) throw refusal(flag, address, 'every ledger has its own');
  return account;
}

function refusal(flag: string, address: Address, why: string): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `${flag} ${address} cannot be copied from the cluster: ${why}`,
    {
      account: address,
    },
  );
}
