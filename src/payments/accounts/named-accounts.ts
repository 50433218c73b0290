import type { LedgerClient } from '../../chain/chain.ts';
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
