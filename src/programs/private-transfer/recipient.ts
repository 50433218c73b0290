import { ed25519 } from '@noble/curves/ed25519.js';
import { ServiceError } from '../../errors/service-error.ts';
import { addressBytes, type Address } from '../../solana/address.ts';

/**
 * A validator that private transfers can be sealed for. Finding it costs about as much as sealing a field (the point
 * is proven to be of prime order), so a caller that builds many transfers may keep it: it depends on the address alone.
 */
export interface Recipient {
  readonly validator: Address;
  /** The X25519 public key (32 bytes) of the validator's ed25519 key: u = (1 + y) / (1 - y). */
  readonly boxKey: Uint8Array;
}

/**
 * The recipient behind a validator's address.
 *
 * An address is any 32 bytes. Only a canonical point of the prime-order subgroup is accepted, as libsodium's
 * `crypto_sign_ed25519_pk_to_curve25519` does: off the curve nobody could open the box, and for a point of small
 * order everybody could.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS when the address is no such point.
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
  return { validator, boxKey: ed25519.utils.toMontgomery(key) };
}

function isPublicKey(key: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(key);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    // The library throws for bytes that are no canonical point, and only for those.
    return false;
  }
}
