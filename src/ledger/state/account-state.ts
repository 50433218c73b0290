import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { TokenKeys } from './token-keys.ts';

type Entry = readonly [Address, Account];

/**
 * The accounts of a ledger as they are at present, and who owns which. Iterables are used up before anything
 * changes.
 */
export interface AccountView {
  readonly size: number;
  /** The lamports of all accounts together. */
  readonly totalLamports: bigint;
  /** Bytes of data of the accounts that are kept here; those that are only shown are not counted. */
  readonly dataBytes: number;
  /** Those that are kept here; what is only shown is not among them. */
  readonly own: Pick<AccountView, 'get' | 'ownedBy'>;
  get(address: Address): Account | undefined;
  /** Every account. */
  entries(): Iterable<Entry>;
  /** The accounts a program owns. */
  ownedBy(program: Address): Iterable<Entry>;
  /** Whose the account at an address is, when it is an initialised token account. */
  tokenKeysAt(address: Address): TokenKeys | null;
  /** The addresses of the initialised token accounts of a mint. */
  tokenAccountsOf(mint: Address): Iterable<Address>;
  /** The initialised token accounts of an owner, a delegate or a mint. */
  tokenAccounts(query: TokenAccountQuery): Iterable<Entry>;
}

/** The accounts a ledger runs transactions on. */
export interface AccountState extends AccountView {
  /** No less than `totalLamports`, and the same effort however many accounts there are. */
  readonly lamportsCeiling: bigint;
  /** Puts an account in place of what was there; one with 0 lamports is taken away. */
  set(address: Address, account: Account): void;
}
