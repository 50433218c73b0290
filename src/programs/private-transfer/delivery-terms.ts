import { concat, u32, u64 } from '../instruction-data.ts';

/** When and in how many parts the validator pays a queued transfer out. */
export interface DeliveryTerms {
  /** How long a part waits at least and at most before it is paid, ms. */
  readonly minDelayMs: bigint;
  readonly maxDelayMs: bigint;
  /** Parts the amount is paid in. */
  readonly split: number;
  /** The sender's own reference, u64; null when none was given, which is not the same as 0. */
  readonly clientRefId: bigint | null;
}

const TERMS_BYTES = 20;
const TERMS_WITH_REFERENCE_BYTES = 28;

/** The terms in bytes: minimum delay u64, maximum delay u64, split u32, reference u64 if given; 20 or 28 bytes. */
export function encodeDeliveryTerms(terms: DeliveryTerms): Uint8Array {
  const fields = [u64(terms.minDelayMs), u64(terms.maxDelayMs), u32(terms.split)];
  if (terms.clientRefId !== null) fields.push(u64(terms.clientRefId));
  return concat(...fields);
}

/** The terms in `bytes`, null when there are neither 20 nor 28 of them. */
export function decodeDeliveryTerms(bytes: Uint8Array): DeliveryTerms | null {
  if (bytes.length !== TERMS_BYTES && bytes.length !== TERMS_WITH_REFERENCE_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    minDelayMs: view.getBigUint64(0, true),
    maxDelayMs: view.getBigUint64(8, true),
    split: view.getUint32(16, true),
    clientRefId: bytes.length === TERMS_BYTES ? null : view.getBigUint64(20, true),
  };
}
