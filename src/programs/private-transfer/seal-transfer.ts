import type { Random } from '../../ports/random.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { encodeDeliveryTerms, type DeliveryTerms } from './delivery-terms.ts';
import type { Recipient } from './recipient.ts';
import { sealBox } from './sealed-box.ts';
import { freshKey } from './x25519.ts';

/** What of a private transfer only the validator may read. */
export interface PrivateTransfer {
  /** Who is paid: a wallet, or the pool of a stealth handle. */
  readonly destinationOwner: Address;
  readonly terms: DeliveryTerms;
}

/** A private transfer as an instruction carries it: two sealed boxes for one validator. */
export interface SealedTransfer {
  readonly validator: Address;
  /** 80 bytes: the destination's 32. */
  readonly destination: Uint8Array;
  /** 68 bytes, or 76 with a client reference: the delivery terms. */
  readonly terms: Uint8Array;
}

/** Seals a transfer for its validator. Draws 32 random bytes for the destination, then 32 for the terms. */
export function sealTransfer(
  transfer: PrivateTransfer,
  recipient: Recipient,
  random: Random,
): SealedTransfer {
  // A fresh ephemeral key per box, since the nonce derives from it.
  const seal = (plaintext: Uint8Array): Uint8Array => sealBox(plaintext, recipient.boxKey, freshKey(random));
  return {
    validator: recipient.validator,
    destination: seal(addressBytes(transfer.destinationOwner)),
    terms: seal(encodeDeliveryTerms(transfer.terms)),
  };
}

/** The fields that instructions carry them in. */
export const sealedFields = ({ validator, destination, terms }: SealedTransfer) => ({
  validator,
  sealedDestination: destination,
  sealedTermsBytes: terms.length,
  sealedTerms: terms,
});
