import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import {
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { DATA_BYTES_MAX } from '../assert-settable.ts';
import { DUMPS_PACKAGE, isDump } from '../genesis/dumps.ts';
import { codeOf, deriveProgramData, programDataOf } from '../genesis/program-accounts.ts';
import type { AccountReads } from '../ledger.ts';
import type { AccountSource, ClusterAccounts } from '../provision/clone-accounts.ts';
import { fileFault, isElf, readProgramFile } from '../provision/provided-accounts.ts';

/** A program that payments on layout B need. */
interface NetworkProgram {
  readonly address: Address;
  /** The program's file in a folder of programs. */
  readonly file: string;
  /** The program's name in messages. */
  readonly name: string;
  /** SHA-256 in hex of the tested code, without trailing zeros. */
  readonly tested: string;
}

/** The programs of layout B. A ledger needs all of them. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  {
    address: EPHEMERAL_TOKEN_PROGRAM,
    file: 'ephemeral_spl_token.so',
    name: 'the ephemeral SPL token program',
    tested: '7ec9f60cc3db2d5ab05027f378ed9fc414ae4990ff3b31b1bcd30717d2898b58',
  },
  {
    address: DELEGATION_PROGRAM,
    file: 'delegation.so',
    name: 'the delegation program',
    tested: '1f540175c1cd006b127185f1ab07a421b44d729fbd94f40d19063c0e9141a284',
  },
  {
    address: PERMISSION_PROGRAM,
    file: 'permission.so',
    name: 'the permission program',
    tested: 'bf8d6a36ed9513f0b16bddfc14769cbbd6f142d1880be98a9d98c8a3dd49fe0a',
  },
];

/** The code (ELF) of each of {@link NETWORK_PROGRAMS}, by the address of the program. */
export type ProgramDumps = ReadonlyMap<Address, Uint8Array>;

/** Returns the name of a program in messages: its file, or its address and cluster. */
export type NameOfProgram = (program: Address) => string;

/** Returns the programs whose code differs. Both maps must have the same programs. */
export function differingPrograms(one: ProgramDumps, other: ProgramDumps): Address[] {
  return [...one]
    .filter(([program, code]) => Buffer.compare(code, other.get(program) ?? new Uint8Array(0)) !== 0)
    .map(([program]) => program);
}

/** Returns the names of the programs whose code is not the tested version. Ignores trailing zeros. */
export function untestedPrograms(dumps: ProgramDumps): string[] {
  return NETWORK_PROGRAMS.filter(({ address, tested }) => {
    const code = dumps.get(address) ?? new Uint8Array();
    const end = code.findLastIndex((byte) => byte !== 0) + 1;
    return sha256(code.subarray(0, end)) !== tested;
  }).map(({ name }) => name);
}

/** Returns SHA-256 in hex. */
function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Reads the programs from the accounts of a ledger; null if one is missing. */
export function readLedgerPrograms(ledger: Pick<AccountReads, 'getAccount'>): ProgramDumps | null {
  const dumps = new Map<Address, Uint8Array>();
  for (const { address } of NETWORK_PROGRAMS) {
    const code = readCode(ledger, address);
    if (code === null) return null;
    dumps.set(address, code);
  }
  return dumps;
}

function readCode(ledger: Pick<AccountReads, 'getAccount'>, program: Address): Uint8Array | null {
  const account = ledger.getAccount(program);
  const programData = account === null ? null : programDataOf(account);
  // These programs store their code at the address that the loader derives.
  if (programData !== deriveProgramData(program)) return null;
  const code = ledger.getAccount(programData);
  return code === null ? null : codeOf(code);
}

/** Whether these are the programs of layout A from the npm package. */
export function areOfPackage(dumps: ProgramDumps): boolean {
  return [...dumps].every(([program, code]) => isDump(code, DUMPS_PACKAGE.dumps.get(`${program}.so`)));
}

/** Programs that the operator has chosen. */
export interface NamedPrograms {
  readonly dumps: ProgramDumps;
  readonly nameOf: NameOfProgram;
}

/**
 * Reads programs from a folder.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the folder or the file, and its fault.
 */
export function programsOfFolder(folder: string): NamedPrograms {
  const files = new Map(NETWORK_PROGRAMS.map(({ address, file }) => [address, join(folder, file)]));
  return { dumps: readProgramFolder(folder), nameOf: (program) => files.get(program) ?? program };
}

/**
 * Reads the current programs of a cluster, and closes the connection.
 *
 * @throws {ServiceError} PROVISION_INVALID if a program is missing or is not an upgradeable program with
 *   code; UPSTREAM_* if the cluster does not answer.
 */
export async function programsOfCluster(cluster: ClusterAccounts): Promise<NamedPrograms> {
  try {
    return { dumps: await readClusterPrograms(cluster), nameOf: nameOnCluster };
  } finally {
    cluster.close();
  }
}

function nameOnCluster(program: Address): string {
  const name = NETWORK_PROGRAMS.find(({ address }) => address === program)?.name ?? 'the program';
  return `${name} (${program}) from the cluster in --programs`;
}

/**
 * Reads the programs in a folder.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the folder or the file, and its fault.
 */
export function readProgramFolder(folder: string): ProgramDumps {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const files = NETWORK_PROGRAMS.map(({ file }) => file).join(', ');
    throw fileFault(
      folder,
      `is not a folder: --programs accepts a folder with ${files}, a cluster (devnet, mainnet) or the URL of an RPC`,
    );
  }
  return new Map(NETWORK_PROGRAMS.map(({ address, file }) => [address, readProgramFile(join(folder, file))]));
}

/**
 * Reads the programs of a cluster. Requests the code of each program separately, because it may be large.
 *
 * @throws {ServiceError} the errors of {@link programsOfCluster}.
 */
export async function readClusterPrograms(source: AccountSource): Promise<ProgramDumps> {
  const accounts = await source.getAccounts(NETWORK_PROGRAMS.map(({ address }) => address));
  const dumps = new Map<Address, Uint8Array>();
  for (const [index, program] of NETWORK_PROGRAMS.entries()) {
    assertProgram(program, accounts[index] ?? null);
    const [programData = null] = await source.getAccounts([deriveProgramData(program.address)]);
    dumps.set(program.address, codeOnCluster(program, programData));
  }
  return dumps;
}

/** Checks that a program is upgradeable and names the PDA at which the loader stores its code. */
function assertProgram(program: NetworkProgram, account: Account | null): void {
  if (account === null) throw fault(program, 'does not exist there');
  if (account.owner !== BPF_LOADER_UPGRADEABLE || !account.executable) {
    throw fault(program, 'is not an executable account of the upgradeable loader there');
  }
  if (programDataOf(account) !== deriveProgramData(program.address)) {
    throw fault(program, 'does not name its ProgramData there');
  }
}

function codeOnCluster(program: NetworkProgram, programData: Account | null): Uint8Array {
  const code = programData === null ? null : codeOf(programData);
  if (code === null) throw fault(program, 'has no code there: it was closed');
  if (code.length > DATA_BYTES_MAX)
    throw fault(program, `has more than ${DATA_BYTES_MAX} bytes of code there`);
  if (!isElf(code)) throw fault(program, 'has code there that is not an ELF file');
  return code;
}

function fault({ address, name }: NetworkProgram, what: string): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `The programs cannot be read from the cluster in --programs: ${name} (${address}) ${what}. Pass another cluster, or a folder with the programs`,
    { account: address },
  );
}
