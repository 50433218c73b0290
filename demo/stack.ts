import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The service and the ledger node the demo runs on. */
export interface Stack {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  /** Stops and starts it again; its addresses may be others then. Left out where it was running before. */
  readonly restart?: () => Promise<void>;
  /** Stops what {@link ensureStack} started; leaves alone what was running before. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

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
class OwnStack implements Stack {
  serviceUrl: string;
  ledgerUrl: string;
  #child: ChildProcess | undefined;

  constructor(serviceUrl: string, ledgerUrl: string) {
    this.serviceUrl = serviceUrl;
    this.ledgerUrl = ledgerUrl;
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const banner = await untilReady(this.#child);
    // Port 0 takes a free one, which only the banner tells.
    const [service = this.serviceUrl, ledger = this.ledgerUrl] = banner.match(/http:\/\/[^\s/]+/g) ?? [];
    this.serviceUrl = service;
    this.ledgerUrl = ledger;
  }

  readonly restart = async (): Promise<void> => {
    await this.stop();
    await this.start();
  };

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  }
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
