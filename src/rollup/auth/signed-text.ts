import { addressBytes, decodeKey, type Address } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import { isStrictlySigned } from '../../solana/strict-signature.ts';

/**
 * Whether a wallet has signed the UTF-8 bytes of a text, as strictly as the network checks signatures.
 *
 * @param signature base58.
 */
export function isSignedBy(owner: Address, text: string, signature: string): boolean {
  const bytes = decodeKey(signature, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (typeof bytes === 'string') return false;
  return isStrictlySigned(addressBytes(owner), Buffer.from(text, 'utf8'), bytes);
}
