import { spawn } from 'node:child_process';
import { folderOfFile } from './folders.ts';

const REPOSITORY = new URL('..', import.meta.url);

/** How the demo ended. */
interface Played {
  readonly code: number | null;
  readonly output: string;
}

/** Plays the demo with these arguments, on free ports and a ledger that goes away with the tests. */
export async function playDemo(...args: readonly string[]): Promise<Played> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', ...args], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      DATA_DIR: await folderOfFile(),
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
