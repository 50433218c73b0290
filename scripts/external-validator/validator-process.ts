import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { composeCommand, composeShellLine } from './command.ts';
import type { Recipe } from './probe.ts';

/** The process of the validator. It ends with this process. */
export interface ValidatorProcess {
  /** The process id; undefined after it has ended. */
  pid(): number | undefined;
  /** Resolves with its last output when it has ended. */
  readonly ended: Promise<string>;
  /** Sends SIGTERM, then SIGKILL if needed. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Options for the process. */
interface ProcessOptions {
  /** Folder for the compiled shim and the file with its process id. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Time to end after SIGTERM, ms. 0.14.10 takes about 2 s. */
  readonly stopMsMax?: number;
}

const STOP_MS_MAX = 8_000;

/** Starts the validator, in a pseudo terminal if its version needs one. */
export function startProcess(recipe: Recipe, options: ProcessOptions): ValidatorProcess {
  const { folder, stopMsMax = STOP_MS_MAX } = options;
  mkdirSync(folder, { recursive: true });
  const { child, pid } = recipe.version.needsTerminal
    ? spawnOnTerminal(recipe, options)
    : spawnPlain(recipe, options);
  const ended = lastWordsOf(child);
  const signal = (name: NodeJS.Signals): void => signalQuietly(pid(), name);
  // At exit, nothing can wait for SIGTERM to take effect.
  const killNow = (): void => signal('SIGKILL');
  process.once('exit', killNow);
  void ended.then(() => process.off('exit', killNow));
  return {
    pid,
    ended,
    async stop() {
      signal('SIGTERM');
      const late = setTimeout(killNow, stopMsMax);
      await ended;
      clearTimeout(late);
    },
  };
}

/** A process and its id, or the id of the process that it runs as soon as that is known. */
interface Spawned {
  readonly child: ChildProcess;
  pid(): number | undefined;
}

function spawnPlain(recipe: Recipe, { folder, args, env }: ProcessOptions): Spawned {
  const [command = recipe.binary, ...rest] = composeCommand(recipe, folder, args);
  const child = spawn(command, rest, optionsOf(env));
  return { child, pid: () => (hasEnded(child) ? undefined : child.pid) };
}

function spawnOnTerminal(recipe: Recipe, { folder, args, env }: ProcessOptions): Spawned {
  const pidFile = join(folder, 'pid');
  rmSync(pidFile, { force: true });
  const line = composeShellLine(composeCommand(recipe, folder, args), pidFile);
  const child = spawn('script', ['-qefc', line, '/dev/null'], optionsOf(env));
  return { child, pid: () => (hasEnded(child) ? undefined : (readPid(pidFile) ?? child.pid)) };
}

const optionsOf = (env: ProcessOptions['env']) => ({
  env: { ...process.env, ...env },
  stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const],
});

/** Returns whether a process has ended. Its id may then belong to another process. */
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** The last output of a process. In a terminal, it includes stderr. */
function lastWordsOf(child: ChildProcess): Promise<string> {
  const WORDS_MAX = 4_000;
  let output = '';
  const collect = (text: string): void => {
    output = (output + text).slice(-WORDS_MAX);
  };
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`the validator could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      const lines = withoutDrawing(output)
        .split(/[\r\n]+/)
        .filter((line) => line.trim() !== '');
      resolve(`the validator ended with ${code ?? signal}: ${lines.slice(-3).join(' ')}`);
    });
  });
}

/** Removes terminal escape sequences (ECMA-48 CSI). */
function withoutDrawing(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g'), '');
}

/** Reads a process id from a file; undefined if there is none yet. */
function readPid(file: string): number | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^\d+\n$/.test(text) ? Number(text) : undefined;
}

function signalQuietly(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
