import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program, running in a process of its own on free ports. */
export interface StackProcess {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** A folder that goes away with the test: `after` is vitest's afterAll or onTestFinished. */
export async function temporaryFolder(after: (remove: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spl-test-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the built program until it ends by itself. */
export function runToEnd(args: readonly string[], env: Record<string, string>): Promise<Exit> {
  return exitOf(launch(args, env));
}

/** Starts the built program and waits until it is ready. */
export async function startStack(
  folder: string,
  options: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<StackProcess> {
  const child = launch(options.args ?? [], {
    PORT: '0',
    LEDGER_RPC_PORT: '0',
    DATA_DIR: folder,
    ...options.env,
  });
  const exit = exitOf(child);
  const { collected } = child;
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => collected.stdout.includes('Ready') && resolve());
    void exit.then(({ code, stderr }) =>
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`)),
    );
  });
  const [serviceUrl, ledgerUrl] = collected.stdout.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  return {
    serviceUrl: serviceUrl as string,
    ledgerUrl: ledgerUrl as string,
    child,
    output: () => ({ ...collected }),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}

type Collecting = ChildProcess & { collected: { stdout: string; stderr: string } };

function launch(args: readonly string[], env: Record<string, string>): Collecting {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** One JSON-RPC call of the ledger node; fails on an error answer. */
export async function callLedger<T>(url: string, method: string, params: unknown[] = []): Promise<T> {
  const { result, error } = await postJson(url, { jsonrpc: '2.0', id: 1, method, params });
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}

/** Posts JSON and reads the JSON answer. */
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
