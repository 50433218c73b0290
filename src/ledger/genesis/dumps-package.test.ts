import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DUMPS_PACKAGE, findDump, findDumpFolders } from './dumps.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));

describe('the package with the dumps', () => {
  const { name, version, license, integrity, dumps } = DUMPS_PACKAGE;

  it('is the one in the lock file for development, and not a dependency of the installed package', () => {
    expect(read('package-lock.json')).toMatchObject({
      packages: {
        [`node_modules/${name}`]: { version, integrity, license, dev: true },
      },
    });
    expect(read('package.json')).toMatchObject({ devDependencies: { [name]: version } });
    const { dependencies, optionalDependencies } = read('package.json') as Record<string, object>;
    expect({ ...dependencies, ...optionalDependencies }).not.toHaveProperty([name]);
  });

  it('contains each of the dumps, with its hash', () => {
    const { installed } = findDumpFolders();
    expect(installed).not.toBeNull();
    for (const file of dumps.keys()) {
      expect(findDump(file, { installed, cache: '/nowhere' }), file).not.toBeNull();
    }
  });
});
