import { z } from 'zod';
import { isAddress, type Address } from '../solana/address.ts';

/** The largest amount a token account can hold: u64. */
export const AMOUNT_MAX = 0xffff_ffff_ffff_ffffn;

/** A base58 address of 32 bytes. */
export const address = (description: string) =>
  z
    .string({ error: 'must be a base58 Solana address (a string)' })
    .refine(isAddress, { error: 'must be a base58 Solana address of 32 bytes' })
    .transform((text): Address => text as Address)
    .meta({ description: `${description} Base58, 32 bytes.`, minLength: 32, maxLength: 44 });

const AMOUNT_RULE =
  'must be a whole number of base units from 1 to 18446744073709551615: an integer up to 9007199254740991, or a decimal string';

/** An amount of base units, 1 to u64::MAX: an integer JSON number where it is exact, else a decimal string. */
export const amount = (description: string) =>
  z
    .union(
      [
        z.int().min(1).max(Number.MAX_SAFE_INTEGER),
        z
          .string()
          .regex(/^[1-9][0-9]{0,19}$/, { abort: true })
          .refine((text) => BigInt(text) <= AMOUNT_MAX),
      ],
      { error: AMOUNT_RULE },
    )
    .transform((value) => BigInt(value))
    .meta({ description });

/** A switch. */
export const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).meta({ description });

/** The name of a configured cluster. */
export const cluster = (names: readonly string[]) =>
  z
    .string({ error: `must be one of: ${names.join(', ')}` })
    .max(256, { error: `must be one of: ${names.join(', ')}` })
    .meta({ description: `The cluster to work on: ${names.join(', ')}. Default: ${names[0]}.` });
