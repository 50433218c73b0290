import { deserialize, serialize } from 'node:v8';
import type { TransactionRecord } from '../execution.ts';

/**
 * Encodes a landed transaction in the structured clone format, which keeps bigints and byte arrays and is
 * readable by later versions of Node.
 */
export function encodeRecord(record: TransactionRecord): Buffer {
  return serialize(record);
}

/** Decodes a record. It points into `bytes`. */
export function decodeRecord(bytes: Buffer): TransactionRecord {
  return deserialize(bytes) as TransactionRecord;
}

/** Decodes records one at a time, as they are consumed. */
export function* decodeRecords(values: readonly Buffer[]): IterableIterator<TransactionRecord> {
  for (const value of values) yield decodeRecord(value);
}
