import { z } from 'zod';
import { parseExact } from '../../json/parse-json.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { Base58Error, decodeBase58 } from '../../solana/base58.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { fileFault, readRegularFile } from './regular-file.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Largest account file, bytes: 10 MiB of account data in any encoding, plus the JSON around it. */
const DUMP_BYTES_MAX = 64 * 1024 * 1024;

/** An integer as `parseExact` returns it: a number if exact, else its digits. */
const integer = z
  .union([z.int(), z.string().regex(/^-?\d{1,30}$/)], 'must be an integer')
  .transform((value) => BigInt(value))
  .refine((value) => value >= 0n, 'must not be negative');

/** Lamports of an existing account. */
const lamports = integer
  .refine((value) => value > 0n, 'must not be 0, because every account has lamports')
  .refine((value) => value <= U64_MAX, 'must be a 64-bit integer');

/**
 * Programs written in JavaScript round u64::MAX, which means "rent-exempt", up. Larger values are read as
 * u64::MAX.
 */
const rentEpoch = integer.transform((value) => (value > U64_MAX ? RENT_EXEMPT_EPOCH : value));

/** An address in base58. */
const address = z
  .string()
  .refine(isAddress, 'must be a base58 address of 32 bytes')
  .transform((text) => text as Address);

/** `[text, encoding]`, or a base58 string alone, the format of old CLI versions. */
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

/** The fields in use of `solana account --output json` (`CliAccount` of Agave's `cli-output`). */
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
 * Reads an account from a file in the format of `solana account ADDRESS --output json`.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and its fault.
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

/** Parses JSON without loss of digits: integers that a double does not hold become text. */
function parseJson(path: string, text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw fileFault(path, 'is not JSON', error);
  }
}

/** Null if the text is not base64. */
function readBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  // Node skips characters that are not base64 instead of failing, so compare with a re-encoding.
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

/**
 * Largest snapshot file, bytes: four times the largest answer of `surfnet_exportSnapshot`. It is read into
 * memory whole.
 */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;

/** Surfpool `AccountSnapshot`. Its parsed form of the data is ignored. */
const accountSnapshot = z.object({
  lamports,
  owner: address,
  executable: z.boolean(),
  rentEpoch,
  data: z.string().transform((text, checks) => {
    const bytes = readBase64(text);
    if (bytes !== null) return bytes;
    checks.addIssue('is not base64');
    return z.NEVER;
  }),
});

/** In Surfpool null means an account of the forked cluster; here `--clone` copies those. */
const present = accountSnapshot.nullable().transform((account, checks) => {
  if (account !== null) return account;
  checks.addIssue('is null: leave it out, and copy it with --clone and --url');
  return z.NEVER;
});

const snapshotFile = z.record(address, present);

/**
 * The accounts in a file with the result of `surfnet_exportSnapshot`: accounts by address, or the whole
 * JSON-RPC answer.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and its fault.
 */
export function readSnapshotFile(path: string): ReadonlyMap<Address, Account> {
  const json = parseJson(path, readRegularFile(path, SNAPSHOT_BYTES_MAX).toString('utf8'));
  const parsed = snapshotFile.safeParse(accountsIn(json));
  if (parsed.success) return new Map(Object.entries(parsed.data) as [Address, Account][]);
  const [issue] = parsed.error.issues;
  throw fileFault(
    path,
    `is not a snapshot as surfnet_exportSnapshot answers it: ${issue?.path.join('.') || 'the file'} ${issue?.message}`,
  );
}

/**
 * A whole answer has the accounts under `result.value`. `result` is not an address, so the two forms cannot
 * be confused.
 */
function accountsIn(json: unknown): unknown {
  const { result } = (json ?? {}) as { readonly result?: { readonly value?: unknown } };
  return result?.value ?? json;
}
