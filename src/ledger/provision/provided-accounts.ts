import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { parseExact } from '../../json/parse-json.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { DATA_BYTES_MAX } from '../assert-settable.ts';
import { type AccountEntry, walletAccount } from '../genesis/genesis.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { isPartOfLedger } from './clone-accounts.ts';
import type { Provision } from './read-provision.ts';

const MIB = 1024 * 1024;

/**
 * Reads a regular file. Rejects devices and pipes, because they may block or never end.
 *
 * @throws {ServiceError} PROVISION_INVALID if it cannot be read, is not a file or has more than `bytesMax`
 *   bytes.
 */
export function readRegularFile(path: string, bytesMax: number): Buffer {
  const { isFile, size } = look(path);
  if (!isFile) throw fileFault(path, 'is not a file');
  if (size > bytesMax) throw fileFault(path, `has more than ${bytesMax / MIB} MiB`);
  return reading(path, () => readFileSync(path));
}

function look(path: string): { readonly isFile: boolean; readonly size: number } {
  const stats = reading(path, () => statSync(path));
  // Throws the error that reading the path would throw.
  if (stats.isDirectory()) throw readFault(path, { code: 'EISDIR' });
  return { isFile: stats.isFile(), size: stats.size };
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readFault(path, error);
  }
}

/** Creates the error for an input file: PROVISION_INVALID with a message that starts with the path. */
export function fileFault(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('PROVISION_INVALID', `${path} ${what}`, { file: path }, { cause });
}

/** Creates the error for a file that cannot be read, with the reason. */
function readFault(path: string, error: unknown): ServiceError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EISDIR: 'is a folder, not a file',
    ENOTDIR: 'is not a folder',
    EACCES: 'cannot be read by this user',
  };
  return fileFault(path, (code && reasons[code]) ?? `cannot be read${code ? ` (${code})` : ''}`, error);
}

const ELF_MAGIC = '\x7fELF';

/**
 * Reads the code of a program from a `.so` file of `cargo build-sbf` or `solana program dump`.
 *
 * @throws {ServiceError} PROVISION_INVALID if it cannot be read, is too long or is not an ELF file.
 */
export function readProgramFile(path: string): Uint8Array {
  const bytes = new Uint8Array(readRegularFile(path, DATA_BYTES_MAX));
  if (!isElf(bytes)) throw fileFault(path, 'is not a program: it is not an ELF file');
  return bytes;
}

/** Whether bytes start with the ELF magic number. */
export function isElf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, ELF_MAGIC.length)).toString('latin1') === ELF_MAGIC;
}

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** Maximum size of an account file, in bytes: 10 MiB of data in any encoding, plus the JSON around it. */
const DUMP_BYTES_MAX = 64 * 1024 * 1024;

/** An integer as `parseExact` returns it: a number if exact, else its digits. */
const integer = z
  .union([z.int(), z.string().regex(/^-?\d{1,30}$/)], 'must be an integer')
  .transform((value) => BigInt(value))
  .refine((value) => value >= 0n, 'must not be negative');

/** Lamports of an existing account. */
const lamportsField = integer
  .refine((value) => value > 0n, 'must not be 0, because every account has lamports')
  .refine((value) => value <= U64_MAX, 'must be a 64-bit integer');

/** JavaScript programs round u64::MAX ("rent-exempt") up, so larger values are read as u64::MAX. */
const rentEpoch = integer.transform((value) => (value > U64_MAX ? RENT_EXEMPT_EPOCH : value));

const addressField = z
  .string()
  .refine(isAddress, 'must be a base58 address of 32 bytes')
  .transform((text) => text as Address);

const base64Field = z.string().transform((text, checks) => {
  const bytes = readBase64(text);
  if (bytes !== null) return bytes;
  checks.addIssue('is not base64');
  return z.NEVER;
});

/** `[text, "base64"]`, the CLI's form of data. */
const data = z.tuple([base64Field, z.literal('base64')]).transform(([bytes]) => bytes);

/** The used fields of `solana account --output json` (`CliAccount` of Agave's `cli-output`). */
const accountFile = z.object({
  pubkey: addressField,
  account: z
    .object({
      lamports: lamportsField,
      data,
      owner: addressField,
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
    `is not in the format of "solana account --output json": ${member} ${issue?.message}`,
  );
}

function toEntry({ pubkey, account }: z.infer<typeof accountFile>): AccountEntry {
  const { lamports: balance, owner, data: bytes, executable, rentEpoch: epoch } = account;
  return [pubkey, { lamports: balance, owner, data: bytes, executable, rentEpoch: epoch }];
}

/** Parses JSON. Integers that a double cannot represent become text. */
function parseJson(path: string, text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    throw fileFault(path, 'is not JSON', error);
  }
}

/** Decodes base64; null if the text is not base64. */
function readBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  // Node skips characters that are not base64 instead of failing, so compare with a re-encoding.
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : null;
}

/** Maximum size of a snapshot file, in bytes: four times the largest result of `surfnet_exportSnapshot`. */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;

/** Surfpool `AccountSnapshot`. Its parsed form of the data is ignored. */
const accountSnapshot = z.object({
  lamports: lamportsField,
  owner: addressField,
  executable: z.boolean(),
  rentEpoch,
  data: base64Field,
});

/** In Surfpool, null marks an account of the forked cluster. Here `--clone` copies such accounts. */
const present = accountSnapshot.nullable().transform((account, checks) => {
  if (account !== null) return account;
  checks.addIssue('is null: leave it out, and copy it with --clone and --url');
  return z.NEVER;
});

const snapshotFile = z.record(addressField, present);

/**
 * Reads the accounts in a file with the result of `surfnet_exportSnapshot`, or with the whole JSON-RPC
 * answer.
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
    `is not in the format of surfnet_exportSnapshot: ${issue?.path.join('.') || 'the file'} ${issue?.message}`,
  );
}

/** Unwraps the accounts of a whole answer, which are under `result.value`. */
function accountsIn(json: unknown): unknown {
  const { result } = (json ?? {}) as { readonly result?: { readonly value?: unknown } };
  return result?.value ?? json;
}

/** The accounts that one flag provides: a single account, or a program and its code. */
export interface ProvidedAccounts {
  /** The flag and its argument, for messages. */
  readonly origin: string;
  readonly address: Address;
  /** All accounts of the flag, ProgramData before the program. */
  readonly entries: readonly AccountEntry[];
  /** Whether the accounts are a program from a file, which must be callable. */
  readonly isProgramFile: boolean;
  /** Whether the ledger's own accounts take precedence, as in snapshots, which contain a whole ledger. */
  readonly yields: boolean;
}

/**
 * Reads the accounts in the files of a provision, and its mint.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and its fault, or the address that occurs twice.
 */
export function readProvidedAccounts(provision: Provision): ProvidedAccounts[] {
  const provided = [
    ...provision.accounts.map(({ address, file }) => provideAccount(file, `--account ${file}`, address)),
    ...provision.accountFolders
      .flatMap(listAccountFiles)
      .map((file) => provideAccount(file, `--account-dir ${file}`, null)),
    ...provision.programs.map(provideProgram),
    ...provideSnapshots(provision.snapshots),
    ...(provision.mint === null ? [] : [provideMint(provision.mint)]),
  ];
  assertProvidedOnce(provided);
  return provided;
}

function provideAccount(file: string, origin: string, at: Address | null): ProvidedAccounts {
  const [inFile, account] = readAccountFile(file);
  if (isPartOfLedger(account))
    throw fileFault(file, `contains ${inFile}, which each ledger maintains itself`);
  const address = at ?? inFile;
  return { origin, address, entries: [[address, account]], isProgramFile: false, yields: false };
}

/** Reads the accounts of snapshots, except sysvars and native programs. Later files take precedence. */
function provideSnapshots(files: readonly string[]): ProvidedAccounts[] {
  const provided = new Map<Address, ProvidedAccounts>();
  for (const file of files) {
    for (const [address, account] of readSnapshotFile(file)) {
      provided.delete(address);
      if (isPartOfLedger(account)) continue;
      const origin = `--snapshot ${file}`;
      provided.set(address, {
        origin,
        address,
        entries: [[address, account]],
        isProgramFile: false,
        yields: true,
      });
    }
  }
  return [...provided.values()];
}

function provideProgram({ address, file, authority }: Provision['programs'][number]): ProvidedAccounts {
  const entries = programAccounts(address, readProgramFile(file), authority);
  return { origin: `program ${file}`, address, entries, isProgramFile: true, yields: false };
}

function provideMint({ address, lamports }: NonNullable<Provision['mint']>): ProvidedAccounts {
  return {
    origin: '--mint',
    address,
    entries: [[address, walletAccount(lamports)]],
    isProgramFile: false,
    yields: false,
  };
}

function assertProvidedOnce(provided: readonly ProvidedAccounts[]): void {
  const origins = new Map<Address, string>();
  for (const { origin, entries } of provided) {
    for (const [address] of entries) {
      const other = origins.get(address);
      if (other !== undefined) {
        const message = `${address} is specified twice: by ${other} and by ${origin}. Remove one of them`;
        throw new ServiceError('PROVISION_INVALID', message, { account: address });
      }
      origins.set(address, origin);
    }
  }
}

/**
 * Returns the account files of a folder, sorted by name. Files that do not end in `.json` are ignored, as in
 * solana-test-validator.
 *
 * @throws {ServiceError} PROVISION_INVALID if the folder cannot be read.
 */
function listAccountFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    throw readFault(folder, error);
  }
}
