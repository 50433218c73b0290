import type { Layout } from '../../chain/chain.ts';
import type { Account } from '../../solana/account.ts';
import type { Rent } from '../../solana/rent.ts';
import type { Address } from '../../solana/address.ts';
import type { AddressBook } from './address-book.ts';
import type { TableContents } from './call.ts';
import type { Location } from './effects.ts';

/** What is known besides the bytes. */
export interface Context {
  readonly tables: TableContents;
  /** Accounts from the chain, null for absent ones; empty if no chain was read. */
  readonly accounts: ReadonlyMap<Address, Account | null>;
  /** What accounts cost; null if no chain was read. */
  readonly rent: Rent | null;
  readonly book: AddressBook;
  /** The ledger the transaction is for. */
  readonly location: Location;
  /** The layout of the cluster's ephemeral SPL token program; null if either may be meant. */
  readonly layout: Layout | null;
  /** The validator of the cluster's rollup; null if it could not be determined. */
  readonly clusterValidator: Address | null;
  /** Owners and mints whose accounts may occur, besides those the transaction names. */
  readonly owners: readonly Address[];
  readonly mints: readonly Address[];
}
