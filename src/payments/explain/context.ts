import type { Layout } from '../../chain/chain.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { AddressBook } from './address-book.ts';
import type { TableContents } from './call.ts';
import type { Location } from './effects.ts';

/** What is known besides the bytes. */
export interface Context {
  readonly tables: TableContents;
  /** Accounts as the chain has them, null for one that does not exist; empty when no chain was read. */
  readonly accounts: ReadonlyMap<Address, Account | null>;
  readonly book: AddressBook;
  /** The ledger the transaction is for. */
  readonly location: Location;
  /** The layout of the cluster's ephemeral SPL token program; null when any may be meant. */
  readonly layout: Layout | null;
  /** The validator of the cluster's rollup; null when it could not be asked. */
  readonly clusterValidator: Address | null;
  /** Owners and mints whose accounts may be in it, besides those it names itself. */
  readonly owners: readonly Address[];
  readonly mints: readonly Address[];
}
