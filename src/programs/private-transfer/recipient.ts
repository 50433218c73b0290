import { ed25519 } from '@noble/curves/ed25519.js';
import { ServiceError } from '../../errors/service-error.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { publicKeyOf, type PublicKey } from './x25519.ts';

/**
 * A validator that private transfers can be sealed for. Creating it costs about as much as sealing a field
 * (the point is proven to be of prime order). It depends on the address alone, so callers that build many
 * transfers may cache it.
 */
export interface Recipient {
  readonly validator: Address;
  /** The X25519 public key of the validator's ed25519 key: u = (1 + y) / (1 - y). */
  readonly boxKey: PublicKey;
}

/**
 * The recipient with a validator's address. An address is any 32 bytes. Only canonical points of the
 * prime-order subgroup are accepted, as in libsodium's `crypto_sign_ed25519_pk_to_curve25519`: off the curve
 * nobody could open the box, and for a point of small order anyone could.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if the address is not such a point.
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
    // The library throws for bytes that are not a canonical point, and only for those.
    return false;
  }
}
