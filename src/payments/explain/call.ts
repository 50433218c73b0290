import type { Address } from '../../solana/address.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';

/** The contents of lookup tables, as far as known. */
export type TableContents = ReadonlyMap<Address, readonly Address[]>;

/** An account of a call, with its rights in the message. */
export interface CallAccount {
  /** Null if the account is in a lookup table with unknown contents. */
  readonly address: Address | null;
  readonly signer: boolean;
  readonly writable: boolean;
  /** The position in a lookup table, if it is loaded from one. */
  readonly entry: { readonly table: Address; readonly index: number } | null;
}

/** An instruction with accounts in place of indices. */
export interface Call {
  readonly program: Address;
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
}

/**
 * All accounts of a message in index order: its own, then the writable and the read-only ones of the tables.
 */
export function accountsOf(transaction: Transaction, tables: TableContents): CallAccount[] {
  const own = transaction.staticKeys.map((address, index) => ({
    address,
    signer: index < transaction.requiredSignatures,
    writable: isStaticKeyWritable(transaction, index),
    entry: null,
  }));
  const looked = (writable: boolean): CallAccount[] =>
    transaction.lookups.flatMap((lookup) =>
      [...(writable ? lookup.writable : lookup.readonly)].map((index) => ({
        address: tables.get(lookup.table)?.[index] ?? null,
        signer: false,
        writable,
        entry: { table: lookup.table, index },
      })),
    );
  return [...own, ...looked(true), ...looked(false)];
}

/** The calls of a sane transaction (`isSane`) with their accounts. A program is never loaded from a table. */
export function callsOf(transaction: Transaction, accounts: readonly CallAccount[]): Call[] {
  return transaction.instructions.map((instruction) => ({
    program: transaction.staticKeys[instruction.programIdIndex] as Address,
    accounts: [...instruction.accounts].map((index) => accounts[index] as CallAccount),
    data: instruction.data,
  }));
}
