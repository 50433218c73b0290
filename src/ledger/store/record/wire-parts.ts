import { ADDRESS_BYTES } from '../../../solana/address.ts';
import { V1_PREFIX, VERSION_FLAG } from '../../../solana/message-version.ts';
import { SIGNATURE_BYTES } from '../../../solana/signature.ts';

/** Required signatures u8, and how many signed and unsigned keys are read-only u8 each. */
const HEADER_BYTES = 3;
/** The first count that a compact-u16 has two bytes for. No transaction has so many signatures or keys. */
const TWO_BYTE_COUNT = 0x80;
/** Where the first signature is, after their count. */
const SIGNATURE_AT = 1;

/** The keys that a message lists itself. */
export interface StaticKeys {
  /** Where the first of them begins in the wire bytes. */
  readonly at: number;
  readonly count: number;
}

const NO_KEYS: StaticKeys = { at: 0, count: 0 };

/** Offset of the key count in version 1: after prefix, header, config mask, blockhash, instruction count. */
const V1_KEY_COUNT_AT = 1 + HEADER_BYTES + 4 + 32 + 1;

/** Where the keys of a transaction are in its wire bytes; none in bytes that have no such form. */
export function findStaticKeys(wire: Uint8Array): StaticKeys {
  const countAt = wire[0] === V1_PREFIX ? V1_KEY_COUNT_AT : keyCountAt(wire);
  const count = wire[countAt] ?? 0;
  const at = countAt + 1;
  return count >= TWO_BYTE_COUNT || at + count * ADDRESS_BYTES > wire.length ? NO_KEYS : { at, count };
}

/** In a legacy or v0 transaction. */
function keyCountAt(wire: Uint8Array): number {
  const messageAt = SIGNATURE_AT + (wire[0] ?? 0) * SIGNATURE_BYTES;
  const isVersioned = (wire[messageAt] ?? 0) >= VERSION_FLAG;
  return messageAt + (isVersioned ? 1 : 0) + HEADER_BYTES;
}

/** The first signature of a transaction; fewer bytes where the wire bytes are too short for one. */
export function firstSignature(wire: Uint8Array): Uint8Array {
  if (wire[0] === V1_PREFIX) {
    // They end a transaction of version 1; their number is the first of its header.
    const at = Math.max(0, wire.length - (wire[1] ?? 0) * SIGNATURE_BYTES);
    return wire.subarray(at, at + SIGNATURE_BYTES);
  }
  return wire.subarray(SIGNATURE_AT, SIGNATURE_AT + SIGNATURE_BYTES);
}
