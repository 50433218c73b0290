import { deserialize, serialize } from 'node:v8';
import type { TransactionRecord } from '../execution.ts';

/**
 * A landed transaction as bytes: the structured clone format, which later versions of Node read as well. It
 * keeps bigints and byte arrays as they are.
 */
export function encodeRecord(record: TransactionRecord): Buffer {
  return serialize(record);
}

/** The record kept as `bytes`, which it goes on pointing into. */
export function decodeRecord(bytes: Buffer): TransactionRecord {
  return deserialize(bytes) as TransactionRecord;
}

/** The records kept as these bytes, each decoded when it is taken. */
export function* decodeRecords(values: readonly Buffer[]): IterableIterator<TransactionRecord> {
  for (const value of values) yield decodeRecord(value);
}
