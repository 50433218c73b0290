import type { LedgerNode } from '../chain/chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** Addresses by the names a caller gives them; null for one that is not needed this time. */
type Named = Readonly<Record<string, Address | null>>;

/** The accounts at named addresses under the same names, all as of one moment. Null for an absent one. */
export async function readNamedAccounts<Addresses extends Named>(
  node: LedgerNode,
  addresses: Addresses,
): Promise<{ readonly [Name in keyof Addresses]: Account | null }> {
  const wanted = Object.entries(addresses).filter((entry): entry is [string, Address] => entry[1] !== null);
  const accounts = await node.getAccounts(wanted.map(([, address]) => address));
  const found = new Map(wanted.map(([name], index) => [name, accounts[index] ?? null]));
  return Object.fromEntries(Object.keys(addresses).map((name) => [name, found.get(name) ?? null])) as {
    readonly [Name in keyof Addresses]: Account | null;
  };
}
