import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { folderOfFile } from './folders.ts';

it('npm start says in one line on stderr that it builds, before it does (bug: up to 29 s of silence)', async () => {
  const folder = await folderOfFile();
  // In place of npm: what it is asked for is seen, and nothing is built.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*" >&2\n', { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', manifest.scripts.prestart], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toBe(
    'Building the program from its sources: half a minute the first time, some seconds after that ...\nnpm run --silent build\n',
  );
});
