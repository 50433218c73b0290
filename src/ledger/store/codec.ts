import { Packr } from 'msgpackr';
import type { Account } from '../../solana/account.ts';
import type { TransactionRecord } from '../execution.ts';

/** A transaction as it is kept. */
interface StoredRecord {
  /** What lists it in the history. */
  readonly names: readonly string[];
  readonly record: TransactionRecord;
}

/** Integers of 64 bits are `bigint` on both sides. */
const packr = new Packr();

/** A value as bytes. */
export const pack = (value: unknown): Buffer => packr.pack(value);

/** The value in bytes, which it goes on to use. */
export function unpack<T>(bytes: Buffer): T {
  // Of a `Buffer` would come others, whose methods of the same names do something else.
  return packr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)) as T;
}

/** The data comes first: that its end is not in the file is seen by what follows. */
export function packAccount({ data, owner, lamports, executable, rentEpoch }: Account): Buffer {
  return pack([data, owner, lamports, executable, rentEpoch]);
}

/** @throws {TypeError} if the bytes are not those of an account. */
export function unpackAccount(bytes: Buffer): Account {
  const [data, owner, lamports, executable, rentEpoch] =
    unpack<[Uint8Array, Account['owner'], bigint, boolean, bigint]>(bytes);
  if (typeof rentEpoch !== 'bigint') throw new TypeError('it is no account');
  return { lamports, owner, data, executable, rentEpoch };
}

/** The mark comes last, as in {@link packAccount}. */
export const packRecord = ({ names, record }: StoredRecord): Buffer => pack([names, record, true]);

/** @throws {TypeError} if the bytes are not those of a transaction. */
export function unpackRecord(bytes: Buffer): StoredRecord {
  const [names, record, isWhole] = unpack<[StoredRecord['names'], TransactionRecord, boolean]>(bytes);
  if (isWhole !== true) throw new TypeError('it is no transaction');
  return { names, record };
}
