import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The service and the ledger node the demo runs on. */
export interface Stack {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  /** False where its rollup has no login, and shows everything to everybody. */
  readonly hasLogin?: boolean;
  /** Stops and starts it again; its addresses may be others then. Left out where it was running before. */
  readonly restart?: () => Promise<void>;
  /** Stops what {@link ensureStack} started; leaves alone what was running before. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url));

/**
 * Uses the stack that is running at the configured ports, or starts one of its own with the same settings.
 */
export async function ensureStack(): Promise<Stack> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const serviceUrl = `http://127.0.0.1:${process.env['PORT'] ?? 8787}`;
  const ledgerUrl = `http://127.0.0.1:${process.env['LEDGER_RPC_PORT'] ?? 8899}`;
  if (await isHealthy(serviceUrl)) {
    console.log(`Using the service that runs at ${serviceUrl}, with its ledger node at ${ledgerUrl}.`);
    return { serviceUrl, ledgerUrl, stop: async () => {} };
  }
  console.log(`Nothing runs at ${serviceUrl}: starting the service for this demo.`);
  const stack = new OwnStack(serviceUrl, ledgerUrl);
  await stack.start();
  return stack;
}

/** A stack in a process that the demo has started. */
export class OwnStack implements Stack {
  serviceUrl: string;
  ledgerUrl: string;
  /** Known once it has been started; undefined without a rollup. */
  rollupUrl: string | undefined;
  readonly #args: readonly string[];
  readonly #options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'>;
  #child: ChildProcess | undefined;

  constructor(
    serviceUrl: string,
    ledgerUrl: string,
    args: readonly string[] = [],
    options: Pick<SpawnOptions, 'cwd' | 'env' | 'detached'> = {},
  ) {
    this.serviceUrl = serviceUrl;
    this.ledgerUrl = ledgerUrl;
    this.#args = args;
    this.#options = options;
  }

  async start(): Promise<void> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    this.#child = spawn(process.execPath, [MAIN, ...this.#args], { ...this.#options, stdio: [...stdio] });
    const banner = await untilReady(this.#child);
    // Port 0 takes a free one, which only the banner tells.
    const [service = this.serviceUrl, ledger = this.ledgerUrl] = ['Tool service', 'Ledger node'].map(
      (name) => new RegExp(`^  ${name} +(http://[^\\s/]+)`, 'm').exec(banner)?.[1],
    );
    this.rollupUrl = /^ *Rollup +(?<url>http:\/\/[^\s/]+)/m.exec(banner)?.groups?.['url'];
    this.serviceUrl = service;
    this.ledgerUrl = ledger;
  }

  readonly restart = async (): Promise<void> => {
    await this.stop();
    await this.start();
  };

  async stop(): Promise<void> {
    const child = this.#running();
    await ended(child, () => child?.kill('SIGTERM'));
  }

  /** Kills all its processes at once, as kill -9 does. It must have been started with `detached`. */
  async kill(): Promise<void> {
    await ended(this.#running(), () => this.killNow());
  }

  /** {@link kill} without waiting for the end. */
  killNow(): void {
    const pid = this.#running()?.pid;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }

  #running(): ChildProcess | undefined {
    const child = this.#child;
    return child?.exitCode === null && child.signalCode === null ? child : undefined;
  }
}

async function ended(child: ChildProcess | undefined, end: () => void): Promise<void> {
  if (child === undefined) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    end();
  });
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let banner = '';
    child.once('exit', (code) =>
      reject(new Error(`the service ended with exit code ${code} before it was ready`)),
    );
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      banner += text;
      if (banner.includes('Ready')) resolve(banner);
    });
  });
}
