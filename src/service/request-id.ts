import type { Random } from '../ports/random.ts';

const REQUEST_ID_BYTES = 12;

/** A fresh id for a request: 16 characters of base64url. */
export function mintRequestId(random: Random): string {
  return Buffer.from(random.bytes(REQUEST_ID_BYTES)).toString('base64url');
}
