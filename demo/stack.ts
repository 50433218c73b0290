import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The service and the ledger node the story plays on. */
export interface Stack {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  /** Stops what {@link ensureStack} started; leaves alone what was running before. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Uses the stack that is running at the configured ports, or starts one of its own with the same settings. */
export async function ensureStack(): Promise<Stack> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const serviceUrl = `http://127.0.0.1:${process.env['PORT'] ?? 8787}`;
  const ledgerUrl = `http://127.0.0.1:${process.env['LEDGER_RPC_PORT'] ?? 8899}`;
  if (await isHealthy(serviceUrl)) {
    console.log(`Using the service that runs at ${serviceUrl}, with its ledger node at ${ledgerUrl}.`);
    return { serviceUrl, ledgerUrl, stop: async () => {} };
  }
  console.log(`Nothing runs at ${serviceUrl}: starting the service for this story.`);
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const banner = await untilReady(child);
  // Port 0 takes a free one, which only the banner tells.
  const [service = serviceUrl, ledger = ledgerUrl] = banner.match(/http:\/\/[^\s/]+/g) ?? [];
  return { serviceUrl: service, ledgerUrl: ledger, stop: () => stopped(child) };
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

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
