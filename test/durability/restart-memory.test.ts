import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../src/ledger/testing/temporary-folder.ts';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from '../../src/supervisor/memory-flags.ts';
import { assertProjectBuilt } from '../built.ts';

const LARGE_ACCOUNTS = fileURLToPath(new URL('large-accounts.mjs', import.meta.url));

/** What is promised: so many times what was resident before is resident after a restart. */
const RATIO_MAX = 1.2;

/** What a process that opened the ledger in `folder` had resident, bytes. */
function run(folder: string, mode: 'fill' | 'kill' | 'open') {
  assertProjectBuilt();
  const args = ['--expose-gc', ...MEMORY_FLAGS, LARGE_ACCOUNTS, folder, mode];
  const env = { ...process.env, ...MEMORY_ENVIRONMENT };
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect({ status, signal }, stderr).toEqual(
    mode === 'kill' ? { status: null, signal: 'SIGKILL' } : { status: 0, signal: null },
  );
  return JSON.parse(stdout) as { readonly large: number; readonly resident: number };
}

describe.skipIf(process.platform === 'win32')('a ledger with 40 accounts of 10 MiB', () => {
  it.each([
    ['in order', 'fill', 40],
    ['by kill -9, with accounts in the journal', 'kill', 41],
  ] as const)(
    'takes no more memory after it ended %s (bug: 40 MB for each account, more than it had run with)',
    (_, mode, count) => {
      const folder = temporaryFolder();
      const before = run(folder, mode);
      expect(before.large).toBe(40);
      const hasJournal = readdirSync(folder).some((name) => name.startsWith('journal-'));
      expect(hasJournal).toBe(mode === 'kill');
      const after = run(folder, 'open');
      expect(after.large).toBe(count);
      expect(after.resident).toBeLessThanOrEqual(before.resident * RATIO_MAX);
    },
  );
});
