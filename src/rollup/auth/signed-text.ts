import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes, decodeKey, type Address } from '../../solana/address.ts';

/** Bytes of an ed25519 signature, and the longest base58 text of one (Agave `MAX_BASE58_SIGNATURE_LEN`). */
const SIGNATURE_BYTES = 64;
const SIGNATURE_TEXT_MAX = 88;

/**
 * Whether a wallet has signed the UTF-8 bytes of a text, as strictly as the network checks signatures (ed25519-dalek
 * `verify_strict`): a key or a signature with a point of small order proves nothing.
 *
 * @param signature base58.
 */
export function isSignedBy(owner: Address, text: string, signature: string): boolean {
  const bytes = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (typeof bytes === 'string' || isSmallOrder(bytes.subarray(0, 32))) return false;
  return ed25519.verify(bytes, Buffer.from(text, 'utf8'), addressBytes(owner), { zip215: false });
}

function isSmallOrder(point: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(point, true).isSmallOrder();
  } catch {
    return true;
  }
}
