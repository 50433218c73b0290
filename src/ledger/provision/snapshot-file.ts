import { z } from 'zod';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { address, lamports, parseJson, readBase64, rentEpoch } from './account-file.ts';
import { readRegularFile } from './regular-file.ts';
import { fileFault } from './provision-fault.ts';

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
