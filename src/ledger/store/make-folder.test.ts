import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { makeFolder } from './make-folder.ts';

describe('makeFolder', () => {
  it('creates every missing folder, for this user only', () => {
    const top = temporaryFolder();
    makeFolder(join(top, 'a', 'b', 'c'));
    for (const path of ['a', 'a/b', 'a/b/c']) {
      expect(statSync(join(top, path)).mode & 0o777, path).toBe(0o700);
    }
  });

  it('leaves an existing folder unchanged, even behind a link', () => {
    const top = temporaryFolder();
    mkdirSync(join(top, 'open'), { mode: 0o755 });
    symlinkSync(join(top, 'open'), join(top, 'link'));
    makeFolder(join(top, 'link'));
    expect(statSync(join(top, 'open')).mode & 0o777).toBe(0o755);
  });

  it.each([
    ['a file is in its place', 'file', 'EEXIST'],
    ['a file is above it', 'file/below/it', 'EEXIST'],
    ['a broken link is in its place', 'nowhere', 'EEXIST'],
    ['its name is too long', 'x'.repeat(300), 'ENAMETOOLONG'],
  ])('reports the error of the system if %s', (_, path, code) => {
    const top = temporaryFolder();
    writeFileSync(join(top, 'file'), '');
    symlinkSync(join(top, 'none'), join(top, 'nowhere'));
    expect(() => makeFolder(join(top, path))).toThrow(expect.objectContaining({ code }));
  });
});
