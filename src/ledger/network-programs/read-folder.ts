import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readProgramFile } from '../provision/program-file.ts';
import { fileFault } from '../provision/provision-fault.ts';
import { NETWORK_PROGRAMS, type ProgramDumps } from './program-set.ts';

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
