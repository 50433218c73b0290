import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { type AccountEntry, walletAccount } from '../genesis/genesis.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { readAccountFile, readSnapshotFile } from './account-file.ts';
import { isPartOfLedger } from './clone-accounts.ts';
import type { Provision } from './read-provision.ts';
import { fileFault, readFault, readProgramFile } from './regular-file.ts';

/** The accounts one flag provides: a single account, or a program and its code. */
export interface ProvidedAccounts {
  /** The flag and its argument, for messages. */
  readonly origin: string;
  /** The account the flag names. */
  readonly address: Address;
  /** All its accounts, ProgramData before the program. */
  readonly entries: readonly AccountEntry[];
  /** Whether it is a program from a file. It must be callable. */
  readonly isProgramFile: boolean;
  /** Whether an account of the ledger itself takes precedence: a snapshot contains a whole ledger. */
  readonly yields: boolean;
}

/**
 * The accounts in the files of a provision, and its mint.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and its fault, or the address that is given twice.
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
  if (isPartOfLedger(account)) throw fileFault(file, `contains ${inFile}, and every ledger has its own`);
  const address = at ?? inFile;
  return { origin, address, entries: [[address, account]], isProgramFile: false, yields: false };
}

/** One entry per account. Accounts that every ledger has of its own are dropped. */
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
        const message = `${address} is given twice: by ${other} and by ${origin}`;
        throw new ServiceError('PROVISION_INVALID', message, { account: address });
      }
      origins.set(address, origin);
    }
  }
}

/**
 * The account files of a folder, sorted by name. Files that do not end in `.json` are ignored, as in
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
