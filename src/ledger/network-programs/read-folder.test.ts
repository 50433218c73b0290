import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { NETWORK_PROGRAMS, readProgramFolder } from './network-programs.ts';
import { folderWith, layoutADumps, hashesOf } from './testing/program-folder.ts';

describe('readProgramFolder', () => {
  it('returns the code of each program', () => {
    expect(hashesOf(readProgramFolder(folderWith(layoutADumps())))).toEqual(hashesOf(layoutADumps()));
  });

  it('names a file that is missing, and one that is not a program', () => {
    const folder = temporaryFolder();
    const [first] = NETWORK_PROGRAMS.map(({ file }) => join(folder, file));
    expect(() => readProgramFolder(folder)).toThrow(`${first} does not exist`);
    writeFileSync(String(first), 'not a program');
    expect(() => readProgramFolder(folder)).toThrow(`${first} is not a program: it is not an ELF file`);
  });

  it('explains WHERE if it is not a folder', () => {
    expect(() => readProgramFolder('/nonexistent/devnett')).toThrow(
      '/nonexistent/devnett is not a folder: --programs accepts a folder with ephemeral_spl_token.so, delegation.so, permission.so, a cluster (devnet, mainnet) or the URL of an RPC',
    );
  });
});
