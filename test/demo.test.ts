import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { IS_LONG } from './length.ts';

function playDemo(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'demo/main.ts', ...args],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

describe('npm run demo', () => {
  it('ends with exact balances on the programs of localnet', () => {
    const { status, stdout, stderr } = playDemo();
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/\nEvery balance is exact\.\n$/);
  });

  it.runIf(IS_LONG && LAYOUT_B_FOLDER !== null)(
    `ends with exact balances on the programs of the networks (needs ${NO_LAYOUT_B})`,
    () => {
      const { status, stdout, stderr } = playDemo('--programs', LAYOUT_B_FOLDER ?? '');
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/\nEvery balance is exact\.\n$/);
    },
  );

  it.runIf(IS_LONG)('rejects other arguments with one line of usage', () => {
    expect(playDemo('--bogus')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Usage: npm run demo -- [--programs DIR]\n',
    });
  });
});
