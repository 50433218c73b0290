import { ServiceError } from '../../errors/service-error.ts';
import { deriveStealthPool, HANDLE_BYTES_MAX } from '../../programs/ephemeral-token/stealth-pool.ts';
import type { Pda } from '../../solana/pda.ts';
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
 * @throws {ServiceError} INVALID_STEALTH_HANDLE if the handle is empty or longer than 255 bytes of UTF-8.
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
  return deriveStealthPool(handle);
}
