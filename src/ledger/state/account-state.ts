import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountChange } from '../ledger-events.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { TokenKeys } from './token-keys.ts';

type Entry = readonly [Address, Account];

/**
 * The current accounts of a ledger, indexed by owner and token holder. Iterate results before the next
 * change.
 */
export interface AccountView {
  readonly size: number;
  /** The lamports of all accounts together. */
  readonly totalLamports: bigint;
  /** Bytes of data of the {@link own} accounts. */
  readonly dataBytes: number;
  /** The stored accounts, without those that are only visible here, as base's are on a rollup. */
  readonly own: Pick<AccountView, 'get' | 'ownedBy'>;
  get(address: Address): Account | undefined;
  /** Every account. */
  entries(): Iterable<Entry>;
  /** The accounts a program owns. */
  ownedBy(program: Address): Iterable<Entry>;
  /** Mint, owner and delegate of an initialised token account; null for any other account. */
  tokenKeysAt(address: Address): TokenKeys | null;
  /** The addresses of the initialised token accounts of a mint. */
  tokenAccountsOf(mint: Address): Iterable<Address>;
  /** The initialised token accounts of an owner, a delegate or a mint. */
  tokenAccounts(query: TokenAccountQuery): Iterable<Entry>;
}

/** The accounts a ledger runs transactions on. */
export interface AccountState extends AccountView {
  /** An upper bound of `totalLamports` that takes constant time. */
  readonly lamportsCeiling: bigint;
  /** Sets an account; one with 0 lamports is removed. */
  set(address: Address, account: Account): void;
}

/** Whether two accounts differ in anything. */
export function isDifferent(a: Account, b: Account): boolean {
  return (
    a.lamports !== b.lamports ||
    a.owner !== b.owner ||
    a.executable !== b.executable ||
    a.rentEpoch !== b.rentEpoch ||
    Buffer.compare(a.data, b.data) !== 0
  );
}

/** The account changes that turn `before` into `after`. */
export function differences(before: AccountView, after: AccountView): AccountChange[] {
  const changes: AccountChange[] = [];
  for (const [address, account] of before.entries()) {
    const now = after.get(address);
    if (now === undefined || isDifferent(account, now)) {
      changes.push({ address, before: account, after: now ?? null });
    }
  }
  for (const [address, account] of after.entries()) {
    if (before.get(address) === undefined) changes.push({ address, before: null, after: account });
  }
  return changes;
}

/** Accounts as of an earlier moment. */
export type EarlierAccounts = Pick<AccountView, 'get' | 'ownedBy'>;

/**
 * The accounts before some changes.
 *
 * @param changes in the order in which they happened.
 * @param accounts the accounts after all of these changes.
 */
export function accountsBefore(changes: Iterable<AccountChange>, accounts: AccountView): EarlierAccounts {
  const before = new Map<Address, Account | null>();
  for (const change of changes) {
    if (!before.has(change.address)) before.set(change.address, change.before);
  }
  if (before.size === 0) return accounts;
  return {
    get(address) {
      const account = before.get(address);
      return account === undefined ? accounts.get(address) : (account ?? undefined);
    },
    *ownedBy(program) {
      for (const entry of accounts.ownedBy(program)) if (!before.has(entry[0])) yield entry;
      for (const [address, account] of before) if (account?.owner === program) yield [address, account];
    },
  };
}
