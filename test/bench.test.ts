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
  it('prints a table of the rows that are named, each measured for as long as is said', () => {
    assertProjectBuilt();
    const rows = ['private transfer, cluster', 'getSlot', 'CLI start'];
    const { status, stdout, stderr } = runBench('--seconds', '0.2', '--no-peer', ...rows);
    expect(status, stderr).toBe(0);
    expect(stdout.match(/^\| (?!row|---)[^|]+/gm)).toEqual(rows.map((name) => `| ${name} `));
  });

  it('lists its rows if it is asked for another', () => {
    const { status, stderr } = runBench('nothing');
    expect(status).toBe(2);
    expect(stderr).toContain('\n  getSlot\n');
  });
});
