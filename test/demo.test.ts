import { spawn } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './stack-process.ts';

/**
 * The demo on the built program: the whole life of payments over HTTP, with wallets that know nothing of the
 * project.
 */

const REPOSITORY = new URL('..', import.meta.url);

interface Played {
  readonly code: number | null;
  readonly output: string;
}

async function play(...args: readonly string[]): Promise<Played> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', ...args], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      DATA_DIR: await temporaryFolder(afterAll),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

describe('the demo', () => {
  it('ends exact, three times over with the same wallets on the same ledger', async () => {
    const { code, output } = await play('--rounds', '3');
    expect(code, output).toBe(0);
    expect(output).toContain('Round 3 of 3');
    expect(output.trimEnd()).toContain('Every balance is exact.');
  }, 600_000);

  it.each([[['--bogus']], [['--rounds']], [['--rounds', '0']], [['--rounds', 'abc']], [['--rounds', '1.5']]])(
    'answers %j with one line of usage',
    async (args) => {
      const { code, output } = await play(...args);
      expect(code).toBe(2);
      expect(output).toMatch(/^Usage: npm run demo .*\n$/);
    },
  );
});
