import { z } from 'zod';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { address, lamports, parseJson, readBase64, rentEpoch } from './account-file.ts';
import { readRegularFile } from './regular-file.ts';
import { fileFault } from './provision-fault.ts';

/** A snapshot is read whole: four times as large as an answer of `surfnet_exportSnapshot` can be, bytes. */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;

/** Surfpool `AccountSnapshot`; what is parsed of the data is passed over. */
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

/** With Surfpool, null stands for an account of the cluster it forks: here a flag of its own copies that. */
const present = accountSnapshot.nullable().transform((account, checks) => {
  if (account !== null) return account;
  checks.addIssue('is null: leave it out, and copy it with --clone and --url');
  return z.NEVER;
});

const snapshotFile = z.record(address, present);

/**
 * The accounts in a file that holds what `surfnet_exportSnapshot` answers: the accounts by address, or the
 * whole answer of the call.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and what is wrong with it.
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

/** An answer has its accounts under `result.value`: no address is called `result`. */
function accountsIn(json: unknown): unknown {
  const { result } = (json ?? {}) as { readonly result?: { readonly value?: unknown } };
  return result?.value ?? json;
}
