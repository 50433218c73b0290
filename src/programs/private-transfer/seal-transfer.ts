import { ed25519 } from '@noble/curves/ed25519.js';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { concat } from '../instruction-data.ts';
import { atEnd, decodeFields, u32, u64, writeFields } from '../instruction-table/field-codec.ts';
import { freshKey, type PublicKey, publicKeyOf, sealBox } from './sealed-box.ts';

/** The delay and the number of parts of a queued transfer. */
export interface DeliveryTerms {
  /** Minimum and maximum delay of a part, in ms. */
  readonly minDelayMs: bigint;
  readonly maxDelayMs: bigint;
  readonly split: number;
  /** The sender's own reference, u64; null if there is none, which differs from 0. */
  readonly clientRefId: bigint | null;
}

/** The encoding of the terms in instructions and sealed boxes: 20 bytes, or 28 with a reference. */
export const DELIVERY_TERMS = {
  minDelayMs: u64,
  maxDelayMs: u64,
  split: u32,
  clientRefId: atEnd(u64),
} as const;

/** Encodes the terms. */
export const encodeDeliveryTerms = (terms: DeliveryTerms): Uint8Array =>
  concat(...writeFields(DELIVERY_TERMS, terms));

/** Decodes the terms; null unless there are 20 or 28 bytes. */
export const decodeDeliveryTerms = (bytes: Uint8Array): DeliveryTerms | null =>
  decodeFields(DELIVERY_TERMS, bytes);

/**
 * A validator for which private transfers can be sealed. Creating it costs about as much as sealing a field,
 * because the point's order is checked. It depends only on the address, so callers can cache it.
 */
interface Recipient {
  readonly validator: Address;
  /** The X25519 public key of the validator's ed25519 key: u = (1 + y) / (1 - y). */
  readonly boxKey: PublicKey;
}

/**
 * Derives the recipient from a validator's address. Like libsodium's `crypto_sign_ed25519_pk_to_curve25519`,
 * it accepts only canonical points of the prime-order subgroup. No one can open a box for a point off the
 * curve, and anyone can open one for a point of small order.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if the address is not an accepted point.
 */
export function recipientOf(validator: Address): Recipient {
  const key = addressBytes(validator);
  if (!isPublicKey(key)) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      'validator must be the ed25519 public key of a validator: nothing can be encrypted for this address',
      { field: 'validator', validator },
    );
  }
  return { validator, boxKey: publicKeyOf(ed25519.utils.toMontgomery(key)) };
}

function isPublicKey(key: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(key);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    // The library throws only for bytes that are not a canonical point.
    return false;
  }
}

/** The part of a private transfer that only the validator can read. */
export interface PrivateTransfer {
  /** The recipient: a wallet, or the pool of a stealth handle. */
  readonly destinationOwner: Address;
  readonly terms: DeliveryTerms;
}

/** The encoding of a private transfer in an instruction: two boxes sealed for one validator. */
export interface SealedTransfer {
  readonly validator: Address;
  /** The sealed destination: 80 bytes for an address of 32. */
  readonly destination: Uint8Array;
  /** The sealed delivery terms: 68 bytes, or 76 with a client reference. */
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

/** Returns the instruction fields of a sealed transfer. */
export const sealedFields = ({ validator, destination, terms }: SealedTransfer) => ({
  validator,
  sealedDestination: destination,
  sealedTermsBytes: terms.length,
  sealedTerms: terms,
});
