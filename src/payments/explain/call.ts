import type { Address } from '../../solana/address.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';

/** What lookup tables hold, as far as it is known. */
export type TableContents = ReadonlyMap<Address, readonly Address[]>;

/** An account of a call with the rights the message gives it. */
export interface CallAccount {
  /** Null when the account is named through a lookup table whose contents are not known. */
  readonly address: Address | null;
  readonly signer: boolean;
  readonly writable: boolean;
  /** Where in a lookup table it stands, for accounts that are named through one. */
  readonly entry: { readonly table: Address; readonly index: number } | null;
}

/** One instruction with its accounts in place of their indices. */
export interface Call {
  readonly program: Address;
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
}

/** All accounts of a message in the order of its indices: its own, then the writable and the readable of the tables. */
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

/** The calls of a sane transaction (`isSane`) with their accounts. A program is never named through a table. */
export function callsOf(transaction: Transaction, accounts: readonly CallAccount[]): Call[] {
  return transaction.instructions.map((instruction) => ({
    program: transaction.staticKeys[instruction.programIdIndex] as Address,
    accounts: [...instruction.accounts].map((index) => accounts[index] as CallAccount),
    data: instruction.data,
  }));
}
