import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { findDump, findDumpFolders, type DumpFolders } from './dump-folders.ts';
import { dumpsMissing } from './dumps-missing.ts';
import { DUMPS_PACKAGE } from './dumps-package.ts';

/** An account in the format of `solana account --output json`. */
interface AccountDump {
  readonly account: {
    readonly lamports: number;
    readonly data: readonly [string, 'base64'];
    readonly owner: Address;
    readonly executable: boolean;
  };
}

/**
 * The code (ELF) of a program, from the installed package or the cache.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readProgramDump(program: Address, folders = findDumpFolders()): Uint8Array {
  return readDump(`${program}.so`, folders);
}

/**
 * An account from the same dumps. All of them are rent-exempt, so the rent epoch is known; in the JSON it is
 * too large for a number.
 *
 * @throws {ServiceError} PROGRAM_BINARIES_MISSING.
 */
export function readAccountDump(address: Address, folders = findDumpFolders()): Account {
  const text = Buffer.from(readDump(`${address}.json`, folders)).toString('utf8');
  const { account } = JSON.parse(text) as AccountDump;
  return {
    lamports: BigInt(account.lamports),
    owner: account.owner,
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

function readDump(file: string, folders: DumpFolders): Uint8Array {
  const bytes = findDump(file, folders);
  if (bytes === null)
    throw dumpsMissing(`${file} is not there, or is another one`, DUMPS_PACKAGE, folders.cache);
  return bytes;
}
