import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes, decodeKey, type Address } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';

/** What comes before the 32 bytes of an ed25519 public key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether a wallet has signed the UTF-8 bytes of a text, as strictly as the network checks signatures
 * (ed25519-dalek `verify_strict`): a key or a signature with a point of small order proves nothing.
 *
 * @param signature base58.
 */
export function isSignedBy(owner: Address, text: string, signature: string): boolean {
  const bytes = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (typeof bytes === 'string') return false;
  const publicKey = addressBytes(owner);
  if (isSmallOrder(publicKey) || isSmallOrder(bytes.subarray(0, 32))) return false;
  const spki = Buffer.concat([SPKI_HEADER, publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text, 'utf8'), key, bytes);
}

function isSmallOrder(point: Uint8Array): boolean {
  try {
    // The lax reading takes coordinates that are not reduced as well, as the network does.
    return ed25519.Point.fromBytes(point, true).isSmallOrder();
  } catch {
    return false;
  }
}
