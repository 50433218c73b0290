import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { readEnvFile } from '../env-file.ts';
import type { Terminal } from './terminal.ts';

/**
 * The terminal of this process.
 *
 * @throws {ServiceError} CONFIG_INVALID when the settings file cannot be read.
 */
export function systemTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  // Whoever reads the output may have read enough, as `head` does.
  const outputClosed = new Promise<void>((resolve) => {
    stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') throw new Error(`stdout cannot be written to (${code ?? 'unknown reason'})`);
      resolve();
    });
  });
  return {
    env: { ...readEnvFile(), ...process.env },
    home: homedir(),
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    isWatched: stderr.isTTY === true,
    outputClosed,
    print: (text) => void stdout.write(text),
    tell: (text) => void stderr.write(text),
    ask,
    readInput: async () => {
      let text = '';
      for await (const chunk of stdin.setEncoding('utf8')) text += String(chunk);
      return text;
    },
  };
}

/** Asked on stderr: stdout is for data alone. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}
