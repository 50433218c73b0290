import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { composeCommand, composeShellLine } from './command.ts';
import type { Recipe } from './probe.ts';
import { callRpc } from './rpc.ts';

/** Where the validator runs. */
interface LaunchOptions {
  /** RPC of its base chain; its WebSocket is one port above. */
  readonly baseUrl: string;
  /** It takes this port, the next one for WebSocket, and the one after for its metrics. */
  readonly port: number;
  /** Where it keeps its ledger, which begins anew, and this launcher its files. */
  readonly folder: string;
}

/** The validator, running and ready for transactions. */
export interface ExternalValidator {
  readonly url: string;
  /** Its key, as deposits have to name it. */
  readonly identity: string;
  readonly pid: number;
  /** From the start of its process, ms. */
  readonly readyAfterMs: number;
  /** Resolves when it ends, with what it said last. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 20_000;
/** Long enough for it to look at its base chain, which it does after it has said that it is well. */
const SETTLED_MS = 300;
/**
 * A program that was fetched from the base chain can be run from the next slot on; one more for good measure.
 */
const WARM_UP_SLOTS = 2;

/**
 * Starts the validator on a terminal of its own and waits until transactions can run on it.
 *
 * @throws {Error} when a port is taken, and with its last words when it ends before it is ready or takes
 *   longer than 20 seconds.
 */
export async function startExternalValidator(
  recipe: Recipe,
  { baseUrl, port, folder }: LaunchOptions,
): Promise<ExternalValidator> {
  for (const each of [port, port + 1, port + 2]) await assertFree(each);
  mkdirSync(folder, { recursive: true });
  const pidFile = join(folder, 'pid');
  rmSync(pidFile, { force: true });
  const options = {
    remotes: baseUrl,
    lifecycle: 'ephemeral',
    listen: `127.0.0.1:${port}`,
    storage: join(folder, 'ledger'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const command = composeCommand(recipe, folder, [...args, '--reset']);
  const startedMs = performance.now();
  const terminal = spawn('script', ['-qefc', composeShellLine(command, pidFile), '/dev/null'], {
    // Its option --metrics is broken, and what it listens on without this is open to the network.
    env: { ...process.env, MBV_METRICS__ADDRESS: `127.0.0.1:${port + 2}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = lastWordsOf(terminal);
  let pid: number | undefined;
  const kill = (): void => killQuietly((pid ??= readPid(pidFile)));
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    kill();
    await ended;
    process.off('exit', kill);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([becomeReady(url), ended.then((words) => Promise.reject(new Error(words)))]);
    const readyAfterMs = performance.now() - startedMs;
    const { identity } = await callRpc<{ identity: string }>(url, 'getIdentity');
    pid = readPid(pidFile) as number;
    return { url, identity, pid, readyAfterMs, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * It says `ok` before it has looked at its base chain, and knows no program before it was asked for it; the
 * first transaction would fail.
 */
async function becomeReady(url: string): Promise<void> {
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  const until = async (isSo: () => Promise<boolean>, what: string): Promise<void> => {
    while (!(await isSo().catch(() => false))) {
      if (performance.now() > deadlineMs) throw new Error(`the validator took too long: ${what}`);
      await sleep(20);
    }
  };
  await until(async () => (await callRpc(url, 'getHealth')) === 'ok', 'getHealth is not ok');
  await sleep(SETTLED_MS);
  for (const program of [TOKEN_PROGRAM, EPHEMERAL_TOKEN_PROGRAM]) {
    await until(() => isExecutable(url, program), `it does not get ${program} from its base chain`);
  }
  const slot = await callRpc<number>(url, 'getSlot');
  await until(async () => (await callRpc<number>(url, 'getSlot')) > slot + WARM_UP_SLOTS, 'its slots stand');
}

async function isExecutable(url: string, program: string): Promise<boolean> {
  const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
  const { value } = await callRpc<{ value: { executable: boolean } | null }>(url, 'getAccountInfo', [
    program,
    config,
  ]);
  return value?.executable === true;
}

/** What it wrote last before its terminal was closed: errors come there as well. */
function lastWordsOf(terminal: ChildProcess): Promise<string> {
  const WORDS_MAX = 4_000;
  let output = '';
  const collect = (text: string): void => {
    output = (output + text).slice(-WORDS_MAX);
  };
  terminal.stdout?.setEncoding('utf8').on('data', collect);
  terminal.stderr?.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    terminal.once('error', (error) => resolve(`script could not be started: ${error.message}`));
    terminal.once('close', (code) => {
      const lines = withoutDrawing(output)
        .split(/[\r\n]+/)
        .filter((line) => line.trim() !== '');
      resolve(`the validator ended with ${code}: ${lines.slice(-3).join(' ')}`);
    });
  });
}

/** Text without the escape sequences a terminal is drawn on with (ECMA-48 CSI). */
function withoutDrawing(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g'), '');
}

/** The process id in a file; undefined while there is none. */
function readPid(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

function killQuietly(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}

/** @throws {Error} when something else listens on a port of the loopback. */
async function assertFree(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
