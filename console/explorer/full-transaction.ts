import { deedOf, type Deed } from '../history/deed.ts';
import type { ParsedTransaction } from '../history/parsed-transaction.ts';
import type { Ledger } from '../parts/reader.ts';

/** A token account before or after a transaction. */
export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** An account of a `jsonParsed` transaction. */
export interface NamedAccount {
  readonly pubkey: string;
  readonly signer?: boolean;
  readonly writable?: boolean;
  readonly source?: string;
}

/** A transaction with the fields that only the views of one transaction read. */
export interface FullTransaction extends Omit<ParsedTransaction, 'meta'> {
  readonly version?: unknown;
  readonly transaction: ParsedTransaction['transaction'] & {
    readonly message: ParsedTransaction['transaction']['message'] & {
      readonly accountKeys: readonly NamedAccount[];
    };
  };
  readonly meta:
    | (Omit<NonNullable<ParsedTransaction['meta']>, 'preTokenBalances' | 'postTokenBalances'> & {
        readonly preBalances?: readonly (number | bigint)[];
        readonly postBalances?: readonly (number | bigint)[];
        readonly preTokenBalances?: readonly TokenBalance[] | null;
        readonly postTokenBalances?: readonly TokenBalance[] | null;
      })
    | null;
}

/** One change of a balance. */
export interface Effect {
  /** The owner of a token account if the node names it, else the account. */
  readonly party: string;
  readonly account: string;
  /** The mint; null for SOL. */
  readonly mint: string | null;
  readonly decimals: number;
  /** Base units, or lamports. */
  readonly change: bigint;
  /** Whether the change is the rent of a new account. */
  readonly isRent: boolean;
}

/**
 * The balance changes of a transaction: tokens first, then SOL. Changes of other parties may be missing,
 * because the node returns only the balances that this reader can see.
 */
export function effectsOf({ transaction, meta }: FullTransaction): Effect[] {
  if (meta === null) return [];
  const accounts = transaction.message.accountKeys.map(({ pubkey }) => pubkey);
  return [
    ...tokenEffects(accounts, meta.preTokenBalances ?? [], meta.postTokenBalances ?? []),
    ...solEffects(accounts, meta.preBalances ?? [], meta.postBalances ?? []),
  ];
}

function tokenEffects(
  accounts: readonly string[],
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
): Effect[] {
  const indexes = [...new Set([...before, ...after].map(({ accountIndex }) => accountIndex))];
  return indexes.flatMap((index) => {
    const [one, other] = [before, after].map((list) => list.find((entry) => entry.accountIndex === index));
    const balance = other ?? one;
    const account = accounts[index];
    if (balance === undefined || account === undefined) return [];
    const change = BigInt(other?.uiTokenAmount.amount ?? 0) - BigInt(one?.uiTokenAmount.amount ?? 0);
    const { decimals } = balance.uiTokenAmount;
    return change === 0n
      ? []
      : [{ party: balance.owner ?? account, account, mint: balance.mint, decimals, change, isRent: false }];
  });
}

/**
 * Maximum rent of a new account, lamports (about 1,000 bytes). A larger change is a payment to a new wallet.
 */
const NEW_ACCOUNT_LAMPORTS_MAX = 8_000_000n;

function solEffects(
  accounts: readonly string[],
  before: readonly (number | bigint)[],
  after: readonly (number | bigint)[],
): Effect[] {
  return accounts.flatMap((account, index) => {
    const [one, other] = [before[index], after[index]];
    if (one === undefined || other === undefined || one === null || other === null) return [];
    const change = BigInt(other) - BigInt(one);
    const isRent = BigInt(one) === 0n && change > 0n && change < NEW_ACCOUNT_LAMPORTS_MAX;
    return change === 0n ? [] : [{ party: account, account, mint: null, decimals: 9, change, isRent }];
  });
}

/** Lamports in accounts that the transaction created. */
export function rentOf({ meta }: FullTransaction): bigint {
  const before = meta?.preBalances ?? [];
  return (meta?.postBalances ?? []).reduce<bigint>(
    (sum, after, index) => (Number(before[index] ?? 1) === 0 ? sum + BigInt(after) : sum),
    0n,
  );
}

/**
 * Describes a transaction, with owners in place of token accounts. A plain transfer names no mint, so its
 * mint is read from the token balances. Without them, the amount is null because its decimals are unknown.
 */
export function readDeed(ledger: Ledger, transaction: FullTransaction): Deed {
  const deed = deedOf(ledger, transaction, null);
  const accounts = transaction.transaction.message.accountKeys.map(({ pubkey }) => pubkey);
  const { preTokenBalances, postTokenBalances } = transaction.meta ?? {};
  const balances = new Map(
    [...(preTokenBalances ?? []), ...(postTokenBalances ?? [])].map((balance) => [
      accounts[balance.accountIndex],
      balance,
    ]),
  );
  const [from, to] = [deed.from, deed.to].map((address) =>
    address === null ? undefined : balances.get(address),
  );
  const owned = { ...deed, from: from?.owner ?? deed.from, to: to?.owner ?? deed.to };
  if (deed.amount === null || (deed.mint !== null && deed.mint !== '')) return owned;
  if (deed.mint === null && deed.kind !== 'settlement') return owned;
  const mint = (from ?? to)?.mint;
  return mint === undefined ? { ...owned, amount: null, mint: null } : { ...owned, mint };
}
