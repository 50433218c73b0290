import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '../../solana/address.ts';
import type { ClusterAccounts } from '../provision/cluster-accounts.ts';
import { readProgramFile } from '../provision/program-file.ts';
import { fileFault } from '../provision/provision-fault.ts';
import { type KeptPrograms, sourceOf } from './kept-programs.ts';
import { type NameOfProgram, NETWORK_PROGRAMS, type ProgramDumps } from './program-set.ts';
import { readClusterPrograms } from './read-cluster.ts';

/** Programs that the operator gives, and where they are from. */
export interface GivenPrograms {
  readonly dumps: ProgramDumps;
  readonly nameOf: NameOfProgram;
  /** Which cluster they are of, as they are kept by; null where they are of a folder. */
  readonly source: string | null;
  /** Whether what has to be known of them at later starts is kept already. */
  readonly isKept: boolean;
}

/**
 * Programs in a folder of the operator's.
 *
 * @param kept where it is kept which programs fit.
 * @throws {ServiceError} as {@link readProgramFolder}.
 */
export function programsOfFolder(folder: string, kept: KeptPrograms): GivenPrograms {
  const files = new Map(NETWORK_PROGRAMS.map(({ address, file }) => [address, join(folder, file)]));
  const dumps = readProgramFolder(folder);
  return {
    dumps,
    nameOf: (program) => files.get(program) ?? program,
    source: null,
    isKept: kept.isKnownToFit(dumps),
  };
}

/** How the programs of a cluster are had. */
interface ClusterProgramsOptions {
  readonly url: URL;
  /** Where those read earlier are kept. */
  readonly kept: KeptPrograms;
  /** Whether they are read from the cluster also where they are kept. */
  readonly isFresh: boolean;
  readonly open: (url: URL) => ClusterAccounts;
}

/**
 * The programs of a cluster: those that were kept when they were read for the first time, else as it has them
 * now.
 *
 * @throws {ServiceError} as {@link readClusterPrograms}.
 */
export async function programsOfCluster(options: ClusterProgramsOptions): Promise<GivenPrograms> {
  const source = sourceOf(options.url);
  const kept = options.isFresh ? null : options.kept.read(source);
  const dumps = kept ?? (await readFrom(options));
  return { dumps, nameOf: nameOnCluster, source, isKept: kept !== null };
}

async function readFrom({ url, open }: ClusterProgramsOptions): Promise<ProgramDumps> {
  const cluster = open(url);
  try {
    return await readClusterPrograms(cluster);
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
 * @throws {ServiceError} PROVISION_INVALID naming the folder or the file, and what is wrong with it.
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
