import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { assertProjectBuilt } from './built.ts';

/** The built program. */
export const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program in a separate process on free ports. */
export interface StackProcess {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  /** The process that was started: the supervisor. */
  readonly child: ChildProcess;
  /** Returns the process that serves, which the supervisor started; undefined while there is none. */
  stackPid(): number | undefined;
  readonly ended: Promise<Exit>;
  /** Its output so far. */
  output(): { stdout: string; stderr: string };
  /** Sends a signal and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** Runs the built program until it ends by itself. */
export function runToEnd(args: readonly string[], env: Record<string, string>): Promise<Exit> {
  return exitOf(launch(args, env));
}

/** How the program is started. */
interface StackOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Path of the module to run instead of the command line. */
  readonly main?: string;
  /** The working folder, in which there may be a .env file. */
  readonly cwd?: string;
}

/** Starts the built program and waits until it is ready. */
export async function startStack(
  folder: string,
  { args = [], env = {}, main = MAIN, cwd = tmpdir() }: StackOptions = {},
): Promise<StackProcess> {
  const child = launch(
    args,
    { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0', DATA_DIR: folder, ...env },
    main,
    cwd,
  );
  const ended = exitOf(child);
  const { collected } = child;
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => collected.stdout.includes('Ready') && resolve());
    void ended.then(({ code, stderr }) =>
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`)),
    );
  });
  const urlOf = (name: string) =>
    new RegExp(`^  ${name} +(http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(collected.stdout)?.[1];
  const [serviceUrl, ledgerUrl, rollupUrl] = ['Tool service', 'Ledger node', 'Rollup'].map(urlOf);
  return {
    serviceUrl: serviceUrl as string,
    ledgerUrl: ledgerUrl as string,
    rollupUrl: rollupUrl as string,
    child,
    ended,
    stackPid: () => childOf(child.pid as number),
    output: () => ({ ...collected }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The variables that tell the command line where the running program is. */
export function portsOf({ serviceUrl, ledgerUrl, rollupUrl }: StackProcess): Record<string, string> {
  const places = { PORT: serviceUrl, LEDGER_RPC_PORT: ledgerUrl, ROLLUP_RPC_PORT: rollupUrl };
  return Object.fromEntries(Object.entries(places).map(([name, url]) => [name, new URL(url).port]));
}

/** Starts the built program speaking MCP over its stdin and stdout. */
export function launchStdio(
  folder: string,
  args: readonly string[] = [],
): Pick<StackProcess, 'child' | 'ended' | 'output'> {
  const child = launch(['mcp', ...args], { LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0', DATA_DIR: folder });
  return { child, output: () => ({ ...child.collected }), ended: exitOf(child) };
}

/** Options for a start like by an MCP host. */
interface HostedOptions extends StackOptions {
  /** The user that it runs as; by default the user of the tests. */
  readonly uid?: number;
}

/** Starts the built program like an MCP host that only knows its command. */
export function launchHosted({ args = [], env = {}, main = MAIN, cwd, uid }: HostedOptions = {}): Pick<
  StackProcess,
  'child' | 'ended' | 'output'
> & { ask(id: number, message: object): Promise<Record<string, unknown>> } {
  const child = launch(['mcp', ...args], env, main, cwd, uid);
  const answers = () => child.collected.stdout.split('\n').slice(0, -1);
  return {
    child,
    output: () => ({ ...child.collected }),
    ended: exitOf(child),
    ask(id, message) {
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
      const read = () => answers().map((line) => JSON.parse(line) as Record<string, unknown>);
      return waitFor(() => read().find((answer) => answer['id'] === id));
    },
  };
}

type Collecting = ChildProcess & { collected: { stdout: string; stderr: string } };

function launch(
  args: readonly string[],
  env: Record<string, string>,
  main = MAIN,
  cwd = tmpdir(),
  uid?: number,
): Collecting {
  assertProjectBuilt();
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    ...(uid !== undefined && { uid, gid: uid }),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const collected = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (collected.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (collected.stderr += text));
  return Object.assign(child, { collected });
}

function exitOf(child: Collecting): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, ...child.collected }));
  });
}

/** Returns the processes that `parent` started, the oldest first. */
export function childrenOf(parent: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([ppid]) => ppid === parent).map(([, pid]) => pid as number);
}

/** Returns the process that `parent` started. */
export const childOf = (parent: number): number | undefined => childrenOf(parent)[0];

/** Returns whether a process is running. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Calls `ask` repeatedly until it returns a value. Ignores errors until the timeout. */
export async function waitFor<T>(ask: () => T | Promise<T>, timeoutMs = 120_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const [given, fault] = await Promise.resolve()
      .then(ask)
      .then(
        (value) => [value, undefined],
        (error: unknown) => [undefined, error],
      );
    if (given !== undefined && given !== null && given !== false) return given as NonNullable<T>;
    if (performance.now() > deadline) throw new Error('waited in vain', { cause: fault });
    await sleep(25);
  }
}

/** Makes a JSON-RPC call to the ledger node. Throws on an error response. */
export async function callLedger<T>(url: string, method: string, params: unknown[] = []): Promise<T> {
  const { result, error } = await postJson(url, { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}

/** Posts JSON and reads the JSON response. */
export async function postJson(
  url: string,
  body: unknown,
): Promise<{ result?: unknown; error?: unknown; id?: unknown; jsonrpc?: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}
