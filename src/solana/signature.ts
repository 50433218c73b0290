import { decodeKey } from './address.ts';

/** Number of bytes in an ed25519 signature. */
export const SIGNATURE_BYTES = 64;

/** The longest base58 text of a signature (`solana-signature` `MAX_BASE58_SIGNATURE_LEN`). */
export const SIGNATURE_TEXT_MAX = 88;

/** Whether `text` is the base58 of a signature's 64 bytes. */
export const isSignature = (text: string): boolean =>
  typeof decodeKey(text, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX) !== 'string';
