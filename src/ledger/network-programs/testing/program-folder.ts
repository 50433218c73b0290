import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '../../../solana/address.ts';
import { readProgramDump } from '../../genesis/dumps.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { NETWORK_PROGRAMS, type ProgramDumps } from '../network-programs.ts';

/** Returns the programs of layout A, from the npm package. */
export function layoutADumps(): ProgramDumps {
  return new Map(NETWORK_PROGRAMS.map(({ address }) => [address, readProgramDump(address)]));
}

/** Returns the SHA-256 of each code in hex, by program, to compare programs with short output. */
export function hashesOf(dumps: ProgramDumps): ReadonlyMap<Address, string> {
  const hashOf = (code: Uint8Array): string => createHash('sha256').update(code).digest('hex');
  return new Map([...dumps].map(([program, code]) => [program, hashOf(code)]));
}

/** Creates a temporary folder with these programs. */
export function folderWith(dumps: ProgramDumps): string {
  const folder = temporaryFolder();
  for (const { address, file } of NETWORK_PROGRAMS) {
    writeFileSync(join(folder, file), dumps.get(address) ?? new Uint8Array(0));
  }
  return folder;
}

/** Creates a different version of a program with the same behavior, by appending zeros to its code. */
export function rebuilt(dumps: ProgramDumps, program: Address): ProgramDumps {
  return new Map(
    [...dumps].map(([each, code]) => [
      each,
      each === program ? new Uint8Array(Buffer.concat([code, Buffer.alloc(16)])) : code,
    ]),
  );
}
