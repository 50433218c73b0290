import { ServiceError } from '../../errors/service-error.ts';
import { deriveStealthPool, HANDLE_BYTES_MAX } from '../../programs/ephemeral-token/stealth-pool.ts';
import { isAddress } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import { STEALTH_HANDLE_CHARACTERS_MAX, STEALTH_HANDLE_RULE, wellFormedText } from '../fields/text-fields.ts';

/** What a typing error or a swapped letter leaves of the 32 to 44 letters of an address. */
const RUN_MIN = 30;
const RUN_MAX = 46;

/** Letters and digits on end, those of other scripts too: some of them look like Latin ones. */
const RUNS = /[\p{L}\p{M}\p{N}]+/gu;

/** Characters that nobody sees; a space is seen. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const KINDS = [/[A-Z]/, /[a-z]/, /[0-9]/];

/** An identifier in hexadecimal digits, of one case. Hardly any address has no other letters. */
const HEXADECIMAL = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Whether a text that is no address has a part that could be taken for one: 30 to 46 letters and digits on
 * end, of more than one kind (capitals, small letters, digits). Base58 leaves out `0`, `O`, `I` and `l`
 * since they look like others, but a text that has one of them in place of another is no base58 at all.
 */
export const isLikeAddress = (text: string): boolean =>
  (text.normalize('NFKC').replaceAll(UNSEEN, '').match(RUNS) ?? []).some(isLikeOne);

function isLikeOne(run: string): boolean {
  const { length } = [...run];
  if (length < RUN_MIN || length > RUN_MAX || HEXADECIMAL.test(run)) return false;
  return KINDS.filter((kind) => kind.test(run)).length > 1;
}

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
