import { z } from 'zod';
import { isAddress, type Address } from '../../solana/address.ts';
import { isSignature } from '../../solana/signature.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** An integer from 0 to u64::MAX as decimal text. */
export const u64Text = z
  .codec(z.string().regex(/^\d{1,20}$/, 'must be decimal digits'), z.bigint(), {
    decode: BigInt,
    encode: String,
  })
  .refine((read) => read <= U64_MAX, 'must be at most 18446744073709551615');

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** Bytes as base64 with padding. */
export const base64Text = z.codec(z.string(), bytes, {
  decode(text, checks) {
    const read = Buffer.from(text, 'base64');
    // Node skips characters that are not base64 instead of failing, so compare with a re-encoding.
    if (read.toString('base64') === text) return new Uint8Array(read);
    checks.issues.push({ code: 'custom', input: text, message: 'must be base64' });
    return z.NEVER;
  },
  encode: ({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
});

/** So many bytes as base64 with padding. */
export const bytesText = (length: number) =>
  base64Text.refine((read) => read.length === length, `must be ${length} bytes`);

/** An address in base58. */
export const addressText = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'must be a base58 address of 32 bytes',
);

/** A signature in base58. */
export const signatureText = z.string().refine(isSignature, 'must be a base58 signature of 64 bytes');

/** Counts, slots, indices. */
export const count = z.int().nonnegative();

/** A list that nobody changes. */
export const listOf = <Form extends z.ZodType>(form: Form) => z.array(form).readonly();
