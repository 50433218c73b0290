import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../src/ledger/testing/temporary-folder.ts';
import { assertBuilt } from './built.ts';

/** A project whose files were changed at these Unix seconds. */
function projectOf(files: Readonly<Record<string, number>>): string {
  const root = temporaryFolder();
  for (const [file, changedAt] of Object.entries(files)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), '');
    utimesSync(join(root, file), changedAt, changedAt);
  }
  return root;
}

const BUILT = { 'dist/bundle/main.js': 100, 'src/app.ts': 90 };

describe('tests of whole processes', () => {
  it('run on a build that is newer than its sources', () => {
    expect(() => assertBuilt(projectOf(BUILT))).not.toThrow();
  });

  it('run on a build that is older than the tests, which are not part of it', () => {
    const root = projectOf({ ...BUILT, 'src/app.test.ts': 110, 'src/rpc/testing/node.ts': 110 });
    expect(() => assertBuilt(root)).not.toThrow();
  });

  it('fail with the command to run if a source is newer than the build (bug: they tested the old build)', () => {
    const root = projectOf({ ...BUILT, 'src/rpc/rpc-node.ts': 101 });
    expect(() => assertBuilt(root)).toThrow('dist is older than src: run npm run build');
  });

  it('fail with the command to run if nothing is built', () => {
    expect(() => assertBuilt(projectOf({ 'src/app.ts': 90 }))).toThrow(
      'dist is not there: run npm run build',
    );
  });
});
