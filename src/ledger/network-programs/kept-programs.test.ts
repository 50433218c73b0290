import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { isKnownToFit, keepPrograms, readKeptPrograms, sourceOf } from './kept-programs.ts';
import { hashesOf, type ProgramDumps } from './program-set.ts';
import { layoutADumps, rebuilt } from './testing/program-folder.ts';

const SOURCE = sourceOf(new URL('https://rpc.example/?api-key=hidden'));
const OTHER = sourceOf(new URL('https://other.example/'));

function kept(source: string | null = SOURCE): { folder: string; dumps: ProgramDumps } {
  const folder = join(temporaryFolder(), 'programs');
  const dumps = layoutADumps();
  keepPrograms(folder, dumps, source);
  return { folder, dumps };
}

describe('kept programs', () => {
  it('are read again for the same cluster, and for no other', () => {
    const { folder, dumps } = kept();
    expect(hashesOf(readKeptPrograms(folder, SOURCE) ?? new Map())).toEqual(hashesOf(dumps));
    expect(readKeptPrograms(folder, OTHER)).toBeNull();
  });

  it("are nobody else's to read, and nothing beside them has the key of the URL", () => {
    const { folder } = kept();
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
      expect(readFileSync(join(folder, name), 'latin1')).not.toContain('hidden');
    }
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('are not read where one is not what was kept', () => {
    const { folder } = kept();
    writeFileSync(join(folder, 'permission.so'), 'something else');
    expect(readKeptPrograms(folder, SOURCE)).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"source":null}', '{"programs":null}', '{"programs":{}}'])(
    'are not there where the list is %j',
    (text) => {
      const { folder, dumps } = kept();
      writeFileSync(join(folder, 'programs.json'), text);
      expect(readKeptPrograms(folder, SOURCE)).toBeNull();
      expect(isKnownToFit(folder, dumps)).toBe(false);
    },
  );

  it('are known to fit by their hashes alone, where they are of a folder', () => {
    const { folder, dumps } = kept(null);
    expect(readdirSync(folder)).toEqual(['programs.json']);
    expect(isKnownToFit(folder, dumps)).toBe(true);
    for (const program of [EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM]) {
      expect(isKnownToFit(folder, rebuilt(dumps, program))).toBe(false);
    }
    expect(isKnownToFit(temporaryFolder(), dumps)).toBe(false);
  });
});
