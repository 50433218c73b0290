import { ServiceError } from '../../errors/service-error.ts';
import { deriveStealthPool, HANDLE_BYTES_MAX } from '../../programs/ephemeral-token/stealth-pool.ts';
import { isAddress } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import { isLikeAddress } from './address-likeness.ts';
import { STEALTH_HANDLE_CHARACTERS_MAX, STEALTH_HANDLE_RULE, wellFormedText } from '../fields/text-fields.ts';

/** A stealth handle. */
export const handleField = (description: string) =>
  wellFormedText(`${description}: ${STEALTH_HANDLE_RULE}.`, STEALTH_HANDLE_CHARACTERS_MAX).meta({
    minLength: 1,
    maxLength: HANDLE_BYTES_MAX,
  });

/**
 * The pool of the stealth handle in the argument `field`.
 *
 * @throws {ServiceError} INVALID_STEALTH_HANDLE if the handle is empty, longer than 255 bytes of UTF-8, or
 *   looks like an address: whoever sets up the look-alike of an address would be paid in its place.
 */
export function stealthPoolOf(handle: string, field: string): Pda {
  const bytes = Buffer.byteLength(handle, 'utf8');
  if (bytes === 0 || bytes > HANDLE_BYTES_MAX) {
    throw new ServiceError(
      'INVALID_STEALTH_HANDLE',
      `handle must be between 1 and ${HANDLE_BYTES_MAX} UTF-8 bytes`,
      { field, bytes },
    );
  }
  if (isAddress(handle) || isLikeAddress(handle)) throw likeAddress(handle, field);
  return deriveStealthPool(handle);
}

function likeAddress(handle: string, field: string): ServiceError {
  const words = isAddress(handle)
    ? 'is an address and no stealth handle'
    : 'looks like an address and is none: it is no base58 of 32 bytes, and no stealth handle may look like one. Compare it letter by letter with the address that is meant';
  return new ServiceError('INVALID_STEALTH_HANDLE', `${field} ${words}`, { field });
}
