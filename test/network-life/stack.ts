import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { MAIN } from '../stack-process.ts';

/** Where the service and the ledger node are. */
export interface Stack {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  /** False where its rollup has no login, and shows everything to everybody. */
  readonly hasLogin?: boolean;
}

/** The built program in a process of its own. */
class OwnStack implements Stack {
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

/** How a stack is started. */
interface NetworkStackOptions {
  /** Where its ledger is. */
  readonly folder: string;
  readonly sponsor: { readonly address: string; readonly key: string };
  /** URL of a rollup that is another program; null for the embedded one. */
  readonly externalRollup: string | null;
}

/** A stack of layout B with a fresh ledger, which goes away with the tests. */
export class NetworkStack extends OwnStack {
  /** Who pays for gasless payments. */
  readonly sponsor: string;
  /** Whether its rollup is another program, which logs nobody in and waits to be told of every queue. */
  readonly isExternal: boolean;
  readonly #folder: string;

  constructor(programs: string, { folder, sponsor, externalRollup }: NetworkStackOptions) {
    const env = {
      PATH: process.env['PATH'],
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(folder, 'ledger'),
      GASLESS_SPONSOR_SECRET_KEY: sponsor.key,
      ...(externalRollup !== null && { ROLLUP: 'external', EPHEMERAL_RPC_URL: externalRollup }),
    };
    super('', '', ['--programs', programs], { cwd: folder, env, detached: true });
    this.sponsor = sponsor.address;
    this.isExternal = externalRollup !== null;
    this.#folder = folder;
  }

  get hasLogin(): boolean {
    return !this.isExternal;
  }

  /** Removes its ledger. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Starts a stack with the programs of a folder. It ends with this process.
 *
 * @param externalRollup the URL where a rollup will be that is another program; null for the embedded one.
 */
export async function openNetworkStack(
  programs: string,
  externalRollup: string | null = null,
): Promise<NetworkStack> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(secret);
  const key = JSON.stringify([...secret, ...getAddressEncoder().encode(address)]);
  const folder = await mkdtemp(join(tmpdir(), 'spl-network-life-'));
  const sponsor = { address, key };
  const stack = new NetworkStack(path.resolve(programs), { folder, sponsor, externalRollup });
  // Its processes are a group of their own, which Ctrl-C does not reach.
  process.once('exit', () => {
    stack.killNow();
    stack.remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    await stack.start();
  } catch (error) {
    stack.remove();
    throw error;
  }
  return stack;
}
