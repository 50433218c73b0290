import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertProjectBuilt } from './built.ts';

function runBench(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
}

describe('npm run bench', () => {
  it('prints a table of the named rows, each measured for the given time', () => {
    assertProjectBuilt();
    const rows = ['private transfer, cluster', 'getSlot', 'CLI start'];
    const { status, stdout, stderr } = runBench('--seconds', '0.2', '--no-peer', ...rows);
    expect(status, stderr).toBe(0);
    expect(stdout.match(/^\| (?!row|---)[^|]+/gm)).toEqual(rows.map((name) => `| ${name} `));
  });

  it('lists its rows if an unknown row is requested', () => {
    const { status, stderr } = runBench('nothing');
    expect(status).toBe(2);
    expect(stderr).toContain('\n  getSlot\n');
  });
});
