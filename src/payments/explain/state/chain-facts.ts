import type { LedgerClient } from '../../../chain/chain.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, TOKEN_2022_PROGRAM } from '../../../programs/addresses.ts';
import { decodeEata } from '../../../programs/ephemeral-token/state.ts';
import { decodeLookupTable } from '../../../programs/lookup-table.ts';
import { CLOCK_SYSVAR, decodeClockTime, decodeEpoch } from '../../../programs/sysvars.ts';
import { type AmountScale, amountScaleOf } from '../../../programs/token/amount-scale.ts';
import {
  decodeMintExtensions,
  listExtensions,
  type MintExtensions,
  type TransferFeeDue,
  transferFeeOf,
} from '../../../programs/token/mint-extensions.ts';
import { decodeMint, decodeTokenAccount, isTokenProgram } from '../../../programs/token/state.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { isProgramAccount, isReadable } from '../../accounts/token-account.ts';
import type { AddressBook } from '../address-book.ts';
import { accountsOf, type Context, type TableContents } from '../call.ts';

/** A transaction's accounts as read from the chain. */
export interface ChainFacts {
  readonly tables: TableContents;
  /** Accounts by address, with null for absent accounts. Accounts that were not read have no entry. */
  readonly accounts: ReadonlyMap<Address, Account | null>;
}

/** Facts for an explanation without a chain. */
export const NO_CHAIN_FACTS: ChainFacts = { tables: new Map(), accounts: new Map() };

/**
 * Reads a transaction's lookup tables and accounts, and the accounts at `also`. Adds mints and owners to the
 * book.
 *
 * @throws {ServiceError} UPSTREAM_* if the chain cannot be read.
 */
export async function readChainFacts(
  node: LedgerClient,
  { transaction, also }: { readonly transaction: Transaction; readonly also: readonly Address[] },
  book: AddressBook,
  token: string | undefined,
): Promise<ChainFacts> {
  const tables = await readTables(node, transaction, token);
  const named = accountsOf(transaction, tables).flatMap(({ address }) =>
    address !== null && isReadable(address) ? [address] : [],
  );
  const accounts = await readAccounts(node, [...new Set([...named, ...also])], token);
  for (const [address, account] of accounts) addToBook(book, address, account);
  const mints = named.flatMap((address) => book.holding(address)?.mint ?? []);
  const unseen = [...new Set(mints)].filter((mint) => !accounts.has(mint));
  for (const [address, account] of await readAccounts(node, unseen, token)) {
    addToBook(book, address, account);
    accounts.set(address, account);
  }
  return { tables, accounts };
}

async function readTables(
  node: LedgerClient,
  { lookups }: Transaction,
  token: string | undefined,
): Promise<TableContents> {
  const accounts = await readAccounts(
    node,
    lookups.map(({ table }) => table),
    token,
  );
  const tables = new Map<Address, readonly Address[]>();
  for (const [address, account] of accounts) {
    const table = account?.owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(account.data) : null;
    if (table !== null) tables.set(address, table.addresses);
  }
  return tables;
}

async function readAccounts(
  node: LedgerClient,
  addresses: readonly Address[],
  token: string | undefined,
): Promise<Map<Address, Account | null>> {
  if (addresses.length === 0) return new Map();
  const accounts = await node.getAccounts(addresses, token);
  return new Map(addresses.map((address, index) => [address, accounts[index] ?? null]));
}

function addToBook(book: AddressBook, address: Address, account: Account | null): void {
  if (account === null) return;
  if (isTokenProgram(account.owner)) {
    const mint = decodeMint(account.data);
    if (mint !== null) book.addMint(address, mint.decimals);
    const tokens = decodeTokenAccount(account.data);
    if (tokens !== null) book.addHolding(address, tokens);
  } else if (isProgramAccount(account)) {
    const eata = decodeEata(account.data);
    if (eata !== null) book.addHolding(address, eata);
  }
}

type Accounts = Context['accounts'];

/** Returns a mint's extensions: null if it can have none, 'unread' if it was not read or is malformed. */
export function extensionsOf(accounts: Accounts, mint: Address): MintExtensions | null | 'unread' {
  const account = accounts.get(mint);
  if (account === undefined) return 'unread';
  if (account?.owner !== TOKEN_2022_PROGRAM) return null;
  return decodeMintExtensions(account.data) ?? 'unread';
}

/**
 * Returns the scale of displayed amounts of a mint at the node's current time; null if only decimals apply,
 * or if the mint or the clock was not read.
 */
export function scaleOf(accounts: Accounts, mint: Address | null): AmountScale | null {
  const account = mint === null ? null : accounts.get(mint);
  const now = decodeClockTime(accounts.get(CLOCK_SYSVAR) ?? null)?.unixTimestamp;
  if (account?.owner !== TOKEN_2022_PROGRAM || now === undefined) return null;
  return amountScaleOf(listExtensions(account.data) ?? [], now) ?? null;
}

/** Computes the fee for `amount` base units at the clock's epoch; the larger fee if the clock is unread. */
export function feeDue(accounts: Accounts, mint: Address | null, amount: bigint): TransferFeeDue {
  const extensions = mint === null ? null : extensionsOf(accounts, mint);
  if (extensions === null || extensions === 'unread') return { withheld: 0n, isCertain: true };
  return transferFeeOf(extensions, decodeEpoch(accounts.get(CLOCK_SYSVAR) ?? null), amount);
}
