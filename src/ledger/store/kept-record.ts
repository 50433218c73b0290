import { ADDRESS_BYTES } from '../../solana/address.ts';
import { type EncodedRecord, SIGNATURE_BYTES } from './encoded-commit.ts';
import type { RecordPosition } from './store.ts';

/**
 * A transaction in the database: signature 64, address count u32 little-endian, addresses, and the record.
 */
const ADDRESSES_AT = SIGNATURE_BYTES + 4;

/** The value stored under the position of a transaction. */
export function writeKeptRecord({ signature, addresses, value }: EncodedRecord): Buffer {
  const count = Buffer.allocUnsafe(4);
  count.writeUInt32LE(addresses.length / ADDRESS_BYTES, 0);
  return Buffer.concat([signature, count, addresses, value]);
}

/** The transaction stored at a position. It points into `bytes`. */
export function readKeptRecord(position: RecordPosition, bytes: Buffer): EncodedRecord {
  const end = ADDRESSES_AT + bytes.readUInt32LE(SIGNATURE_BYTES) * ADDRESS_BYTES;
  return {
    signature: bytes.subarray(0, SIGNATURE_BYTES),
    position,
    addresses: bytes.subarray(ADDRESSES_AT, end),
    value: bytes.subarray(end),
  };
}
