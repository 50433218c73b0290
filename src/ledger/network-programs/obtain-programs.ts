import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { DATA_BYTES_MAX } from '../assert-settable.ts';
import { codeOf, deriveProgramData, programDataOf } from '../genesis/program-accounts.ts';
import type { AccountSource, ClusterAccounts } from '../provision/clone-accounts.ts';
import { fileFault, isElf, readProgramFile } from '../provision/provided-accounts.ts';
import {
  type NameOfProgram,
  NETWORK_PROGRAMS,
  type NetworkProgram,
  type ProgramDumps,
} from './program-set.ts';

/** Programs that the operator names. */
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
 * Reads the programs that a cluster runs now, and closes the connection.
 *
 * @throws {ServiceError} PROVISION_INVALID if a program is missing there or is not an upgradeable program
 *   with code; UPSTREAM_* if the cluster does not answer.
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
  return `${name} (${program}) of the cluster of --programs`;
}

/**
 * The programs in a folder.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the folder or the file, and its fault.
 */
export function readProgramFolder(folder: string): ProgramDumps {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const files = NETWORK_PROGRAMS.map(({ file }) => file).join(', ');
    throw fileFault(
      folder,
      `is not a folder: --programs takes a folder with ${files}, a cluster (devnet, mainnet) or the URL of an RPC`,
    );
  }
  return new Map(NETWORK_PROGRAMS.map(({ address, file }) => [address, readProgramFile(join(folder, file))]));
}

/**
 * The programs as deployed on a cluster. The code of each is requested separately, because it may be large.
 *
 * @throws {ServiceError} as {@link programsOfCluster}.
 */
export async function readClusterPrograms(source: AccountSource): Promise<ProgramDumps> {
  const accounts = await source.getAccounts(NETWORK_PROGRAMS.map(({ address }) => address));
  const dumps = new Map<Address, Uint8Array>();
  for (const [index, program] of NETWORK_PROGRAMS.entries()) {
    assertProgram(program, accounts[index] ?? null);
    const [programData = null] = await source.getAccounts([deriveProgramData(program.address)]);
    dumps.set(program.address, readCode(program, programData));
  }
  return dumps;
}

/** The program must name the PDA at which the loader stores its code. */
function assertProgram(program: NetworkProgram, account: Account | null): void {
  if (account === null) throw fault(program, 'does not exist there');
  if (account.owner !== BPF_LOADER_UPGRADEABLE || !account.executable) {
    throw fault(program, 'is not an executable account of the upgradeable loader there');
  }
  if (programDataOf(account) !== deriveProgramData(program.address)) {
    throw fault(program, 'does not name its ProgramData there');
  }
}

function readCode(program: NetworkProgram, programData: Account | null): Uint8Array {
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
    `The programs cannot be read from the cluster of --programs: ${name} (${address}) ${what}. Pass another cluster, or a folder with the programs`,
    { account: address },
  );
}
