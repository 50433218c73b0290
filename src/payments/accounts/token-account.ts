import type { LedgerClient } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { type AccountRules, decodeAccountRules } from '../../programs/token/account-rules.ts';
import {
  decodeTokenHolding,
  holderOf,
  isHeldBy,
  isOfMint,
  type TokenHolding,
} from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** Reads accounts by name at one slot; null for absent accounts. */
export async function readNamedAccounts<Addresses extends Readonly<Record<string, Address | null>>>(
  node: LedgerClient,
  addresses: Addresses,
): Promise<{ readonly [Name in keyof Addresses]: Account | null }> {
  const names = Object.keys(addresses);
  const wanted = names.map((name) => addresses[name] ?? null).filter((address) => address !== null);
  const accounts = await node.getAccounts(wanted);
  const found: Record<string, Account | null> = {};
  let next = 0;
  for (const name of names) found[name] = addresses[name] == null ? null : (accounts[next++] ?? null);
  return found as { readonly [Name in keyof Addresses]: Account | null };
}

/**
 * Checks whether the account at a PDA of the ephemeral token program belongs to that program, delegated or
 * not. A system account there does not count, because anyone can send lamports to an unused address.
 */
export const isProgramAccount = (account: Account | null): boolean =>
  account !== null && (account.owner === EPHEMERAL_TOKEN_PROGRAM || account.owner === DELEGATION_PROGRAM);

/**
 * Checks whether an account is worth reading. The Magic context is not: it holds no balances, and its 5 MB
 * (magicblock-validator `MAGIC_CONTEXT_SIZE`) exceed the limit for one read.
 */
export const isReadable = (address: Address): boolean => address !== MAGIC_CONTEXT;

/** A token account that an operation expects. Its owner can change (SPL Token `AccountOwner`). */
export interface ExpectedTokenAccount {
  readonly ata: Address;
  /** The expected owner; null accepts any owner. */
  readonly owner: Address | null;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** A token account that meets the expectation. */
export interface TokenAccountState extends TokenHolding {
  readonly rules: AccountRules;
}

/** Differences from the expectation. A system account with lamports at the address counts as absent. */
type TokenAccountFault = 'absent' | 'unreadable' | 'of another mint' | "someone else's";

/** Checks an account's program, format, mint and owner. */
export function checkTokenAccount(
  { owner, mint, tokenProgram }: ExpectedTokenAccount,
  account: Account | null,
): TokenAccountState | TokenAccountFault {
  if (account === null || account.owner === SYSTEM_PROGRAM) return 'absent';
  const holding = account.owner === tokenProgram ? decodeTokenHolding(account.data) : null;
  if (holding === null) return 'unreadable';
  if (!isOfMint(account.data, mint)) return 'of another mint';
  if (owner !== null && !isHeldBy(account.data, owner)) return "someone else's";
  return { amount: holding.amount, state: holding.state, rules: decodeAccountRules(account.data) };
}

/** Advice for the caller about a token account that belongs to someone else. */
export type OwnershipAdvice = (place: { readonly owner: string; readonly holder: Address }) => string;

/**
 * Reads the token account to use; null if it does not exist.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH if its tokens belong to someone else;
 *   ACCOUNT_UNREADABLE if it is not a token account of the mint.
 */
export function readTokenAccount(
  expected: ExpectedTokenAccount,
  account: Account | null,
  advice: OwnershipAdvice,
): TokenAccountState | null {
  const checked = checkTokenAccount(expected, account);
  if (typeof checked !== 'string') return checked;
  if (checked === 'absent' || account === null) return null;
  if (checked === "someone else's") throw ownerMismatch(expected, holderOf(account.data), advice);
  const { ata, mint } = expected;
  throw new ServiceError(
    'ACCOUNT_UNREADABLE',
    checked === 'unreadable'
      ? `The token account ${ata} of ${expected.owner ?? 'any owner'} cannot be decoded; try again, or ask the operator to check the RPC URLs`
      : `The token account ${ata} does not belong to mint ${mint}`,
    { ata, mint },
  );
}

function ownerMismatch(
  { ata, owner, mint }: ExpectedTokenAccount,
  holder: Address,
  advice: OwnershipAdvice,
): ServiceError {
  const wallet = owner ?? 'no one';
  return new ServiceError(
    'TOKEN_ACCOUNT_OWNER_MISMATCH',
    `The token account ${ata} is derived for ${wallet} but belongs to ${holder}: ${advice({ owner: wallet, holder })}`,
    { ata, owner: wallet, holder, mint },
  );
}

/** Returns the advice for an account that pays. */
export const forPaying: OwnershipAdvice = ({ owner, holder }) =>
  `${owner} cannot spend from it. Ask ${holder} to return it (SetAuthority), or use another wallet. The programs accept no other token account.`;

/** Returns the advice for an account that receives a payment for its presumed owner. */
export const forBeingPaid: OwnershipAdvice = ({ owner, holder }) =>
  `the tokens would belong to ${holder}. Pay another wallet, or ask ${holder} to return the account to ${owner} first (SetAuthority).`;

/** Returns the advice for an account that receives a withdrawal. */
export const forWithdrawing: OwnershipAdvice = ({ owner, holder }) =>
  `the withdrawn tokens would belong to ${holder}, and the program pays no other token account. Ask ${holder} to return it to ${owner} first (SetAuthority), or pay another wallet on the rollup and withdraw there.`;

/** Returns the advice for an account whose balance is read. */
export const forReading: OwnershipAdvice = ({ owner, holder }) =>
  `its tokens belong to ${holder} and not to ${owner}. Query another wallet, or ask ${holder} to return the account (SetAuthority).`;
