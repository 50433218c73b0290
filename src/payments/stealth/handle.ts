import { hasInvisible, quoted } from '../../errors/quoted-text.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { deriveStealthPool, HANDLE_BYTES_MAX } from '../../programs/ephemeral-token/stealth-pool.ts';
import { isAddress } from '../../solana/address.ts';
import type { Pda } from '../../solana/pda.ts';
import type { Warning } from '../building/built-transaction.ts';
import { STEALTH_HANDLE_CHARACTERS_MAX, STEALTH_HANDLE_RULE, wellFormedText } from '../fields/fields.ts';

/** Length range of a mistyped address, in characters. A valid address has 32 to 44. */
const RUN_MIN = 30;
const RUN_MAX = 46;

/** Runs of letters and digits in any script, because some letters look like Latin letters. */
const RUNS = /[\p{L}\p{M}\p{N}]+/gu;

/** Invisible characters. A space is visible. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const KINDS = [/[A-Z]/, /[a-z]/, /[0-9]/];

/** An identifier in hexadecimal digits of one case. Addresses almost always have other letters. */
const HEXADECIMAL = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Checks whether a text contains a part that looks like an address: a run of 30 to 46 letters and digits of
 * more than one kind (capitals, small letters, digits). Base58 excludes `0`, `O`, `I` and `l`, but mistyped
 * addresses may contain them.
 */
export const isLikeAddress = (text: string): boolean =>
  (text.normalize('NFKC').replaceAll(UNSEEN, '').match(RUNS) ?? []).some(isLikeOne);

function isLikeOne(run: string): boolean {
  const { length } = [...run];
  if (length < RUN_MIN || length > RUN_MAX || HEXADECIMAL.test(run)) return false;
  return KINDS.filter((kind) => kind.test(run)).length > 1;
}

/** Scripts with letters that look alike. */
const LOOKALIKE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/** Checks whether a text mixes similar scripts, for example a Cyrillic letter among Latin letters. */
export const mixesScripts = (text: string): boolean =>
  LOOKALIKE_SCRIPTS.filter((script) => script.test(text)).length > 1;

/** Ways in which a handle can resemble another one, as clauses after "the handle". */
const FAULTS = {
  HANDLE_INVISIBLE_CHARACTERS: { isIn: hasInvisible, words: 'has invisible characters' },
  HANDLE_NOT_NORMALIZED: {
    isIn: (handle: string): boolean => handle !== handle.normalize('NFC'),
    words: 'is not in Unicode normalization form C, in which it is typed',
  },
  HANDLE_MIXES_SCRIPTS: { isIn: mixesScripts, words: 'mixes letters of several scripts that look alike' },
} as const;

/** One way in which a handle resembles another one. */
export interface HandleFault {
  readonly code: keyof typeof FAULTS;
  /** A clause that follows "the handle". */
  readonly words: string;
}

/**
 * Finds all ways in which a handle resembles another one. Handles are compared byte by byte, so the other
 * handle has a different pool.
 */
export const faultsOfHandle = (handle: string): HandleFault[] =>
  Object.entries(FAULTS)
    .filter(([, { isIn }]) => isIn(handle))
    .map(([code, { words }]) => ({ code: code as HandleFault['code'], words }));

/** Warns about a handle that resembles another one, for payments and for new pools. */
export const warnOfHandle = (handle: string): Warning[] =>
  faultsOfHandle(handle).map(({ code, words }) => ({
    code,
    message: `The stealth handle ${quoted(handle)} ${words}: make sure that it is exactly the intended handle.`,
  }));

/** Creates the schema for a stealth handle. */
export const handleField = (description: string) =>
  wellFormedText(`${description}: ${STEALTH_HANDLE_RULE}.`, STEALTH_HANDLE_CHARACTERS_MAX).meta({
    minLength: 1,
    maxLength: HANDLE_BYTES_MAX,
  });

/**
 * Derives the pool of the stealth handle in the argument `field`.
 *
 * @throws {ServiceError} INVALID_STEALTH_HANDLE if the handle is empty, longer than 255 bytes of UTF-8, or
 *   looks like an address: the owner of the handle would be paid instead of the address.
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
    ? 'is an address, not a stealth handle; pass a handle'
    : 'looks like an address but is not one: it is not base58 of 32 bytes, and a stealth handle must not look like an address. Compare it character by character with the intended address';
  return new ServiceError('INVALID_STEALTH_HANDLE', `${field} ${words}`, { field });
}
