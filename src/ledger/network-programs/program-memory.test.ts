import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { programsInFolder, sourceOf } from './program-memory.ts';
import { hashesOf, type ProgramDumps } from './program-set.ts';
import { layoutADumps, rebuilt } from './testing/program-folder.ts';

const SOURCE = sourceOf(new URL('https://rpc.example/?api-key=hidden'));
const OTHER = sourceOf(new URL('https://other.example/'));

function stored(source: string | null = SOURCE): { folder: string; dumps: ProgramDumps } {
  const folder = join(temporaryFolder(), 'programs');
  const dumps = layoutADumps();
  programsInFolder(folder).store(dumps, source);
  return { folder, dumps };
}

describe('programs in a folder', () => {
  it('are read for the same cluster, and for no other', () => {
    const { folder, dumps } = stored();
    expect(hashesOf(programsInFolder(folder).read(SOURCE) ?? new Map())).toEqual(hashesOf(dumps));
    expect(programsInFolder(folder).read(OTHER)).toBeNull();
  });

  it('can be read by this user only, and no file contains the key of the URL', () => {
    const { folder } = stored();
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('hidden');
    }
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('are not read if one of them was changed', () => {
    const { folder } = stored();
    writeFileSync(join(folder, 'permission.so'), 'something else');
    expect(programsInFolder(folder).read(SOURCE)).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"source":null}', '{"programs":null}', '{"programs":{}}'])(
    'count as missing if the list is %j',
    (text) => {
      const { folder, dumps } = stored();
      writeFileSync(join(folder, 'programs.json'), text);
      expect(programsInFolder(folder).read(SOURCE)).toBeNull();
      expect(programsInFolder(folder).isKnownToFit(dumps)).toBe(false);
    },
  );

  it('of an operator are recognised by their hashes alone', () => {
    const { folder, dumps } = stored(null);
    expect(readdirSync(folder)).toEqual(['programs.json']);
    expect(programsInFolder(folder).isKnownToFit(dumps)).toBe(true);
    for (const program of [EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM]) {
      expect(programsInFolder(folder).isKnownToFit(rebuilt(dumps, program))).toBe(false);
    }
    expect(programsInFolder(temporaryFolder()).isKnownToFit(dumps)).toBe(false);
  });
});
