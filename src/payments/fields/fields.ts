import { z } from 'zod';
import { type Address, isAddress } from '../../solana/address.ts';

/** Maximum amount of a token account: u64. */
export const AMOUNT_MAX = 0xffff_ffff_ffff_ffffn;

/** Creates the schema for a base58 address of 32 bytes. */
export const address = (description: string) =>
  z
    .string({ error: 'must be a base58 Solana address (a string)' })
    .refine(isAddress, { error: 'must be a base58 Solana address of 32 bytes' })
    .transform((text): Address => text as Address)
    .meta({ description: `${description} Base58, 32 bytes.`, minLength: 32, maxLength: 44 });

/** Creates the schema for an amount in base units, up to u64::MAX: a safe integer or a decimal string. */
export const amount = (description: string, minimum: 0 | 1 = 1) =>
  wholeNumber(description, minimum, 'a whole number of base units');

/** Creates the schema for a whole number up to u64::MAX, like {@link amount}. `what` names it in errors. */
export const wholeNumber = (description: string, minimum: 0 | 1 = 0, what = 'a whole number') => {
  const rule = `must be ${what} from ${minimum} to 18446744073709551615: an integer up to 9007199254740991, or a decimal string`;
  const digits = minimum === 0 ? /^(0|[1-9][0-9]{0,19})$/ : /^[1-9][0-9]{0,19}$/;
  const text = z
    .string(rule)
    .regex(digits, { error: rule, abort: true })
    .refine((value) => BigInt(value) <= AMOUNT_MAX, rule);
  return z
    .union([z.int(rule).min(minimum, rule), text], rule)
    .transform((value) => BigInt(value))
    .meta({ description });
};

/** Creates the schema for a boolean. */
export const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).meta({ description });

/** Creates the schema for a configured cluster's name. */
export const cluster = (names: readonly string[]) =>
  z
    .string({ error: `must be one of: ${names.join(', ')}` })
    .max(256, { error: `must be one of: ${names.join(', ')}` })
    .meta({ description: `The cluster to work on: ${names.join(', ')}. Default: ${names[0]}.` });

const INDEX_RULE = 'must be an integer from 0 to 255';

/** Creates the schema for an escrow index: u8. */
export const escrowIndex = (description: string) =>
  z.int(INDEX_RULE).min(0, INDEX_RULE).max(255, INDEX_RULE).meta({ description });

/** Describes the rule for stealth handles. */
export const STEALTH_HANDLE_RULE =
  '1 to 255 UTF-8 bytes, compared byte by byte, that do not look like an address';

/** Maximum length that the schema accepts, in characters. Handles above 255 bytes have their own error. */
export const STEALTH_HANDLE_CHARACTERS_MAX = 1_024;

/** Creates the schema for a text of at most `charactersMax` UTF-16 units without lone surrogates. */
export const wellFormedText = (description: string, charactersMax: number) =>
  z
    .string({ error: 'must be a string' })
    .max(charactersMax, { error: `must be at most ${charactersMax} characters` })
    .refine(isWellFormed, { error: 'must not contain half of a surrogate pair: it has no UTF-8 form' })
    .meta({ description });

/** Checks for lone surrogates. With the u flag a surrogate matches only without its other half. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * Schemas made by {@link decimalText}. JSON Schema cannot express their contents, so typed clients use this
 * registry to convert the strings to integers.
 */
export const DECIMAL_TEXTS = z.registry();

/**
 * Creates the schema for base units or lamports in a result, as a decimal string: `-?(0|[1-9][0-9]*)`. For a
 * nullable string, set the description on the outer schema instead.
 */
export const decimalText = (description?: string) =>
  (description === undefined ? z.string() : z.string().meta({ description })).register(DECIMAL_TEXTS);
