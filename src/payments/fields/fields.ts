import { z } from 'zod';
import { isAddress, type Address } from '../../solana/address.ts';

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

/** An amount in base units, 1 to u64::MAX: a safe integer or a decimal string. */
export const amount = (description: string) =>
  z
    .union(
      [
        z.int(AMOUNT_RULE).min(1, AMOUNT_RULE),
        z
          .string(AMOUNT_RULE)
          .regex(/^[1-9][0-9]{0,19}$/, { error: AMOUNT_RULE, abort: true })
          .refine((text) => BigInt(text) <= AMOUNT_MAX, AMOUNT_RULE),
      ],
      AMOUNT_RULE,
    )
    .transform((value) => BigInt(value))
    .meta({ description });

/** A boolean. */
export const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).meta({ description });

/** The name of a configured cluster. */
export const cluster = (names: readonly string[]) =>
  z
    .string({ error: `must be one of: ${names.join(', ')}` })
    .max(256, { error: `must be one of: ${names.join(', ')}` })
    .meta({ description: `The cluster to work on: ${names.join(', ')}. Default: ${names[0]}.` });

const INDEX_RULE = 'must be an integer from 0 to 255';

/** The index of an escrow: u8. */
export const escrowIndex = (description: string) =>
  z.int(INDEX_RULE).min(0, INDEX_RULE).max(255, INDEX_RULE).meta({ description });
