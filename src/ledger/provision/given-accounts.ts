import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { walletAccount } from '../genesis/wallet-account.ts';
import { readAccountFile } from './account-file.ts';
import { listAccountFiles } from './account-folder.ts';
import { isPartOfLedger } from './make-local.ts';
import { fileFault } from './provision-fault.ts';
import { readProgramFile } from './program-file.ts';
import type { Provision } from './provision.ts';

/** Accounts that one flag gives: one, or a program and its code. */
export interface GivenAccounts {
  /** The flag and what it names, for messages. */
  readonly origin: string;
  /** The account the flag is about. */
  readonly address: Address;
  /** All its accounts, ProgramData before the program. */
  readonly entries: readonly AccountEntry[];
  /** Whether it is a program from a file, which must be one that can be called. */
  readonly isProgramFile: boolean;
}

/**
 * What the files of a provision hold, and its mint.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the file and what is wrong with it, or the address that is given twice.
 */
export function readGivenAccounts(provision: Provision): GivenAccounts[] {
  const given = [
    ...provision.accounts.map(({ address, file }) => giveAccount(file, `--account ${file}`, address)),
    ...provision.accountFolders
      .flatMap(listAccountFiles)
      .map((file) => giveAccount(file, `--account-dir ${file}`, null)),
    ...provision.programs.map(giveProgram),
    ...(provision.mint === null ? [] : [giveMint(provision.mint)]),
  ];
  assertGivenOnce(given);
  return given;
}

function giveAccount(file: string, origin: string, at: Address | null): GivenAccounts {
  const [inFile, account] = readAccountFile(file);
  if (isPartOfLedger(account)) throw fileFault(file, `holds ${inFile}, of which every ledger has its own`);
  const address = at ?? inFile;
  return { origin, address, entries: [[address, account]], isProgramFile: false };
}

function giveProgram({ address, file, authority }: Provision['programs'][number]): GivenAccounts {
  const entries = programAccounts(address, readProgramFile(file), authority);
  return { origin: `program ${file}`, address, entries, isProgramFile: true };
}

function giveMint({ address, lamports }: NonNullable<Provision['mint']>): GivenAccounts {
  return {
    origin: '--mint',
    address,
    entries: [[address, walletAccount(lamports)]],
    isProgramFile: false,
  };
}

function assertGivenOnce(given: readonly GivenAccounts[]): void {
  const origins = new Map<Address, string>();
  for (const { origin, entries } of given) {
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
