import { ed25519 } from '@noble/curves/ed25519.js';
import { ADDRESS_BYTES, addressOf } from '../../../solana/address.ts';
import { decodeDeliveryTerms, type PrivateTransfer, type SealedTransfer } from '../seal-transfer.ts';
import { openBox } from '../sealed-box.ts';

/**
 * Opens a sealed transfer for a validator, by its ed25519 seed (32 bytes). The X25519 secret is the clamped
 * first half of SHA-512(seed). Returns null if a field was sealed for someone else, was changed, or is
 * malformed.
 */
export function openTransfer(
  sealed: Pick<SealedTransfer, 'destination' | 'terms'>,
  validatorSeed: Uint8Array,
): PrivateTransfer | null {
  const boxSecret = ed25519.utils.toMontgomerySecret(validatorSeed);
  const destination = openBox(sealed.destination, boxSecret);
  const termsBytes = openBox(sealed.terms, boxSecret);
  if (destination?.length !== ADDRESS_BYTES || termsBytes === null) return null;
  const terms = decodeDeliveryTerms(termsBytes);
  return terms === null ? null : { destinationOwner: addressOf(destination), terms };
}
