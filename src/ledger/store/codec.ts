import { Packr } from 'msgpackr';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import type { Account } from '../../solana/account.ts';
import type { TransactionRecord } from '../execution.ts';

/** A stored transaction. */
interface StoredRecord {
  /** The addresses whose history lists it. */
  readonly names: readonly string[];
  readonly record: TransactionRecord;
}

/** Encodes `bigint` values as 64-bit integers. */
const packr = new Packr();

/** Encodes a value as msgpack. */
export const pack = (value: unknown): Buffer => packr.pack(value);

/** Decodes msgpack. Byte arrays in the result are views of `bytes`. */
export function unpack<T>(bytes: Buffer): T {
  // From a `Buffer`, msgpackr would return byte arrays as `Buffer`s, whose `slice` does not copy.
  return packr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)) as T;
}

/** Encodes the data first, so that the fields after it reveal a truncated value. */
export function packAccount({ data, owner, lamports, executable, rentEpoch }: Account): Buffer {
  return pack([data, owner, lamports, executable, rentEpoch]);
}

/** @throws {TypeError} if the bytes are not an account. */
export function unpackAccount(bytes: Buffer): Account {
  const [data, owner, lamports, executable, rentEpoch] =
    unpack<[Uint8Array, Account['owner'], bigint, boolean, bigint]>(bytes);
  if (typeof rentEpoch !== 'bigint') throw new TypeError('it is not an account');
  return { lamports, owner, data, executable, rentEpoch };
}

/** Encodes a mark last, which reveals a truncated value. */
export const packRecord = ({ names, record }: StoredRecord): Buffer => pack([names, record, true]);

/** @throws {TypeError} if the bytes are not a transaction. */
export function unpackRecord(bytes: Buffer): StoredRecord {
  const [names, record, isWhole] = unpack<[StoredRecord['names'], TransactionRecord, boolean]>(bytes);
  if (isWhole !== true) throw new TypeError('it is not a transaction');
  return { names, record };
}

/** The location of a fault in a ledger folder. */
interface DamagePlace {
  readonly folder: string;
  readonly file: string;
  /** Byte offset in the file, if known. */
  readonly offset?: number;
}

/** The LEDGER_DAMAGED error: stored data is not what was written, so nothing can be concluded from it. */
export function ledgerDamaged({ folder, file, offset }: DamagePlace, what: string): ServiceError {
  const where = join(folder, file) + (offset === undefined ? '' : ` at byte ${offset}`);
  return new ServiceError(
    'LEDGER_DAMAGED',
    `The ledger is damaged in ${where}: ${what}. Nothing was changed. Restore a copy of the folder ${folder}, or start with --reset to begin a new ledger there`,
    { folder, file, ...(offset === undefined ? {} : { offset }) },
  );
}
