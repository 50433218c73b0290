import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programOfSource } from './testing/source-program.ts';
import { EXIT_CODES } from '../supervisor/exit-codes.ts';

const PROGRAM = programOfSource(fileURLToPath(new URL('testing/end-as.ts', import.meta.url)));

it.each([
  ['a start that the user can fix', 'fixable', EXIT_CODES.config],
  [
    'a folder that another process holds (bug: with 78, which service managers do not retry)',
    'folderHeld',
    75,
  ],
  ['a port that is in use', 'portTaken', EXIT_CODES.config],
  [
    'a port that is in use at a restart (bug: with 78, after which the supervisor gave up)',
    'portTakenAtRestart',
    EXIT_CODES.held,
  ],
  ['a start with a bug', 'bug', EXIT_CODES.fault],
  ['an unhandled rejection, even of a known kind', 'rejection', EXIT_CODES.fault],
  ['an uncaught exception', 'exception', EXIT_CODES.fault],
])('%s ends the process with its exit code', (_, end, status) => {
  const ended = spawnSync(process.execPath, [PROGRAM, end], { encoding: 'utf8' });
  expect(ended.status, ended.stderr).toBe(status);
  expect(ended.stderr).toMatch(/the disk is full|held by process 7|bug/);
});
