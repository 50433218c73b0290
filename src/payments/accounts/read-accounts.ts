import type { LedgerClient } from '../../chain/chain.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, MAGIC_CONTEXT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** Addresses by name; null for those not needed this time. */
type Named = Readonly<Record<string, Address | null>>;

/** Reads accounts by name, all at one slot. Null for absent ones. */
export async function readNamedAccounts<Addresses extends Named>(
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
 * Whether the account at a PDA of the ephemeral token program belongs to that program, delegated or not. A
 * system account at the address does not count: someone sent lamports there before the account was created.
 */
export const isProgramAccount = (account: Account | null): boolean =>
  account !== null && (account.owner === EPHEMERAL_TOKEN_PROGRAM || account.owner === DELEGATION_PROGRAM);

/**
 * Whether to read an account that a transaction names. The Magic context is never read: it holds no balances,
 * and its 5 MB (magicblock-validator `MAGIC_CONTEXT_SIZE`) exceed the limit of one read.
 */
export const isReadable = (address: Address): boolean => address !== MAGIC_CONTEXT;
