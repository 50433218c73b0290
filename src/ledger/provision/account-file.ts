import { z } from 'zod';
import { parseExact } from '../../json/parse-exact.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { isAddress, type Address } from '../../solana/address.ts';
import { Base58Error, decodeBase58 } from '../../solana/base58.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { readRegularFile } from './regular-file.ts';
import { fileFault } from './provision-fault.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Room for the 10 MiB an account can hold in any encoding, and for what stands around them. */
const DUMP_BYTES_MAX = 64 * 1024 * 1024;

/** An integer as `parseExact` gives it: a number where that is exact, else its digits. */
const integer = z
  .union([z.int(), z.string().regex(/^-?\d{1,30}$/)], 'must be an integer')
  .transform((value) => BigInt(value))
  .refine((value) => value >= 0n, 'must not be negative');

/** Lamports of an account that exists. */
export const lamports = integer
  .refine((value) => value > 0n, 'must not be 0, as no account has none')
  .refine((value) => value <= U64_MAX, 'must be a 64-bit integer');

/**
 * Programs in JavaScript write u64::MAX, which says "rent-exempt", rounded up: what is above it is taken for
 * it.
 */
export const rentEpoch = integer.transform((value) => (value > U64_MAX ? RENT_EXEMPT_EPOCH : value));

/** The base58 text of an address. */
export const address = z
  .string()
  .refine(isAddress, 'must be a base58 address of 32 bytes')
  .transform((text) => text as Address);

/** `[text, encoding]`, or base58 by itself, as old versions of the CLI wrote it. */
const data = z
  .union(
    [
      z.tuple([z.string(), z.enum(['base64', 'base58'])]),
      z.string().transform((text) => [text, 'base58'] as const),
    ],
    'must be [text, "base64"] or [text, "base58"]',
  )
  .transform(([text, encoding], checks) => {
    const bytes = encoding === 'base64' ? readBase64(text) : readBase58(text);
    if (bytes !== null) return bytes;
    checks.addIssue(`is not ${encoding}`);
    return z.NEVER;
  });

/**
 * What `solana account --output json` writes (`CliAccount` of Agave's `cli-output`), its members as far as
 * they count.
 */
const accountFile = z.object({
  pubkey: address,
  account: z
    .object({
      lamports,
      data,
      owner: address,
      executable: z.boolean().default(false),
      rentEpoch: rentEpoch.default(RENT_EXEMPT_EPOCH),
      space: z.int().optional(),
    })
    .refine(({ data: bytes, space }) => space === undefined || space === bytes.length, {
      path: ['space'],
      message: 'is not the length of data',
    }),
});

/**
 * An account from a file as `solana account ADDRESS --output json` writes it.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and what is wrong with it.
 */
export function readAccountFile(path: string): AccountEntry {
  const parsed = accountFile.safeParse(
    parseJson(path, readRegularFile(path, DUMP_BYTES_MAX).toString('utf8')),
  );
  if (parsed.success) return toEntry(parsed.data);
  const [issue] = parsed.error.issues;
  const member = issue?.path.join('.') || 'the file';
  throw fileFault(
    path,
    `is not an account as "solana account --output json" writes it: ${member} ${issue?.message}`,
  );
}

function toEntry({ pubkey, account }: z.infer<typeof accountFile>): AccountEntry {
  const { lamports: balance, owner, data: bytes, executable, rentEpoch: epoch } = account;
  return [pubkey, { lamports: balance, owner, data: bytes, executable, rentEpoch: epoch }];
}

/** JSON whose integers keep all their digits, as text where a double does not hold them. */
export function parseJson(path: string, text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw fileFault(path, 'is not JSON', error);
  }
}

/** Null for a text that is not base64. */
export function readBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64 instead of refusing it.
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : null;
}

function readBase58(text: string): Uint8Array | null {
  try {
    return decodeBase58(text);
  } catch (error) {
    if (error instanceof Base58Error) return null;
    throw error;
  }
}
