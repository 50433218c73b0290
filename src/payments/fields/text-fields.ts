import { z } from 'zod';

/** The rule for stealth handles in words. */
export const STEALTH_HANDLE_RULE =
  '1 to 255 UTF-8 bytes, compared byte by byte, nothing that looks like an address';

/**
 * Longest text examined, characters. Texts between the 255 bytes of a handle and this get their own error.
 */
export const STEALTH_HANDLE_CHARACTERS_MAX = 1_024;

/** A text of at most `charactersMax` UTF-16 units without lone surrogates. */
export const wellFormedText = (description: string, charactersMax: number) =>
  z
    .string({ error: 'must be a string' })
    .max(charactersMax, { error: `must be at most ${charactersMax} characters` })
    .refine(isWellFormed, { error: 'must not contain half of a surrogate pair: it has no UTF-8 form' })
    .meta({ description });

/** With the u flag a surrogate matches only if its other half is missing. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
