/**
 * Checks whether `npm ci` accepts the lock file with common npm versions: the one in Node 20, the last 10,
 * the first 11 and the installed one. They handle optional peers differently. Each does a dry run on a copy
 * of the two package files.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmAt, OLDEST_NPM } from './older-npm.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSIONS = [OLDEST_NPM, '10.9.9', '11.0.0'];
const CI = ['ci', '--dry-run', '--ignore-scripts'];

const COMMANDS = [...VERSIONS.map((version) => [...npmAt(version), ...CI]), ['npm', ...CI]];

function isTaken([program, ...args]) {
  const copy = mkdtempSync(join(tmpdir(), 'spl-npm-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(copy, file));
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
    if (status !== 0) console.error(stdout, stderr);
    return status === 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

for (const command of COMMANDS) {
  const shown = command.join(' ');
  if (!isTaken(command)) {
    console.error(`${shown} does not take the lock file.`);
    process.exit(1);
  }
  console.log(`${shown}: ok`);
}
