import { hash } from 'node:crypto';

/** Bytes of a short key. Two that are equal by chance are told apart by the record itself. */
export const SHORT_KEY_BYTES = 8;

/**
 * What an address or a signature is found by: the first bytes of its SHA-256. Its own first bytes would not
 * do, as whoever sends a transaction may name addresses that begin like somebody else's.
 */
export function shortKey(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, SHORT_KEY_BYTES);
}
