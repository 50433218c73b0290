import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { readEnvFile } from '../env-file.ts';

/** The input and output of a verb. */
export interface Terminal {
  /** The environment, including the settings file. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Whether a user can answer questions. */
  readonly canAsk: boolean;
  /** Whether stderr is a terminal. */
  readonly isWatched: boolean;
  /** Resolves at the first failed write after the output is closed, for example by `head`. */
  readonly outputClosed: Promise<void>;
  print(text: string): void;
  /** Writes a message that is not data. */
  log(text: string): void;
  /** Asks a question and resolves to the answer, which is empty if the input is closed. */
  ask(question: string): Promise<string>;
  /** Reads the whole input. */
  readInput(): Promise<string>;
}

/**
 * Returns the terminal of this process.
 *
 * @throws {ServiceError} CONFIG_INVALID if the settings file cannot be read.
 */
export function systemTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
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
    log: (text) => void stderr.write(text),
    ask,
    readInput: async () => {
      let text = '';
      for await (const chunk of stdin.setEncoding('utf8')) text += String(chunk);
      return text;
    },
  };
}

/** Asks a question on stderr, because stdout carries only data. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}

/** Matches control characters (category Cc), bidirectional controls (Bidi_Control) and line separators. */
const INTERPRETED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Escapes a line with untrusted parts as JSON does, so that JSON lines keep their value. */
export const printable = (line: string): string =>
  line.replace(INTERPRETED, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes several lines and joins them. */
export const printableLines = (lines: readonly string[]): string => lines.map(printable).join('\n');
