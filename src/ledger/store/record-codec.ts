import { deserialize } from 'node:v8';
import type { Address } from '../../solana/address.ts';
import type { TransactionRecord } from '../execution.ts';
import { COMPACT, decodeCompact, encodeCompact } from './record/compact-record.ts';

/**
 * Encodes a landed transaction.
 *
 * @param signature its signature, 64 bytes.
 * @param names the addresses it is found under.
 */
export function encodeRecord(
  record: TransactionRecord,
  signature: Uint8Array,
  names: readonly Address[],
): Buffer {
  return encodeCompact(record, signature, names);
}

/** Whether a record is encoded as this release does it; formats before 6 used the structured clone of v8. */
export function isPresentRecord(bytes: Buffer): boolean {
  return bytes[0] === COMPACT;
}

/** Decodes a record of any format. It points into `bytes`. */
export function decodeRecord(bytes: Buffer): TransactionRecord {
  return isPresentRecord(bytes) ? decodeCompact(bytes) : (deserialize(bytes) as TransactionRecord);
}

/** Decodes records one at a time, as they are consumed. */
export function* decodeRecords(values: readonly Buffer[]): IterableIterator<TransactionRecord> {
  for (const value of values) yield decodeRecord(value);
}
