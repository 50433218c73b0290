import { ADDRESS_BYTES } from '../../../solana/address.ts';
import type { EncodedRecord } from '../encoded-commit.ts';
import { SIGNATURE_BYTES } from '../../../solana/signature.ts';
import type { RecordPosition } from '../store.ts';

/**
 * A transaction in a database of formats 2 to 5: signature 64, address count u32 little-endian, addresses,
 * and the record.
 */
const ADDRESSES_AT = SIGNATURE_BYTES + 4;

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
