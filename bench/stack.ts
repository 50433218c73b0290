import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keypair } from '../src/ledger/keypair.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from '../src/supervisor/shared-ports.ts';
import { installPeers } from './install-peers.ts';
import { call } from './load.ts';
import { type Server, startServer } from './processes.ts';

/** The path of a file in this folder. */
export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The built program. */
export const MAIN = here('../dist/bundle/main.js');

/** A running server and the port it listens on. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
}

/** The running program. It runs without its supervisor by default, to measure the process that serves. */
export interface Stack {
  readonly server: Server;
  readonly servicePort: number;
  readonly ledgerPort: number;
  readonly rollupPort: number;
  readonly ledgerUrl: string;
}

const folders: string[] = [];
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Creates an empty folder that is removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spl-bench-'));
  folders.push(folder);
  return folder;
}

/** Starts the program on free ports with its ledger in a folder. With its supervisor, it runs on any core. */
export async function startStack(
  env: NodeJS.ProcessEnv = {},
  folder = temporaryFolder(),
  isSupervised = false,
  main = MAIN,
): Promise<Stack> {
  const args = isSupervised ? [main] : [...MEMORY_FLAGS, main, '--no-supervisor'];
  const server = await startServer(
    args,
    /Ready/,
    {
      ...(isSupervised ? {} : MEMORY_ENVIRONMENT),
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      CONNECTIONS_PER_ADDRESS: '1024',
      CLUSTER: 'localnet',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      ...env,
    },
    isSupervised ? null : 0,
  );
  const portIn = (part: string): number =>
    Number(new RegExp(`${part} +http://[^\\s:]+:(\\d+)`).exec(server.output)?.[1]);
  const ledgerPort = portIn('Ledger node');
  return {
    server,
    servicePort: portIn('Tool service'),
    ledgerPort,
    rollupPort: portIn('Rollup'),
    ledgerUrl: `http://127.0.0.1:${ledgerPort}`,
  };
}

/** Starts a program of this folder, which prints `ready` and its port. */
export async function listening(args: readonly string[], core?: number | null): Promise<Listening> {
  const server = await startServer(args, /ready \d+/, {}, core);
  return { server, port: Number(/ready (\d+)/.exec(server.output)?.[1]) };
}

/** Starts the baseline: a bare node:http server that parses and writes 1 KB of JSON. */
export const startEcho = (core: number | null = 0): Promise<Listening> =>
  listening([here('echo-server.mjs')], core);

/** Starts a cluster that responds from memory, on the load generator's core. */
const startUpstream = (): Promise<Listening> => listening(['--import', 'tsx', here('upstream-server.ts')], 1);

/** The servers that all rows of a run share. Each starts on first use. */
export class Servers {
  readonly echo = onFirstUse(() => startEcho());
  readonly upstream = onFirstUse(startUpstream);
  /** The program with the upstream in place of devnet. */
  readonly stack = onFirstUse(async () => {
    const url = `http://127.0.0.1:${(await this.upstream()).port}/`;
    return await startStack({ BASE_DEVNET_RPC_URL: url, EPHEMERAL_DEVNET_RPC_URL: url });
  });
  readonly peer = onFirstUse(async () => {
    installPeers();
    const { ledgerUrl, rollupPort } = await this.stack();
    const rollup = await call<{ identity: string }>(`http://127.0.0.1:${rollupPort}`, 'getIdentity');
    return await listening([here('peer-server.mjs'), ledgerUrl, rollup.identity]);
  });
  /** Wallets with SOL and USDC on the stack. Its USDC vault exists. */
  readonly wallets = onFirstUse(async () => {
    const stack = await this.stack();
    const wallets = Array.from({ length: WALLETS }, () => new Keypair(new Uint8Array(randomBytes(32))));
    for (const { address } of wallets) {
      await call(stack.ledgerUrl, 'requestAirdrop', [address, 1_000_000_000_000]);
      await call(stack.ledgerUrl, 'requestTokenAirdrop', [address, USDC_MINT, 1_000_000_000]);
    }
    await createVault(stack);
    return wallets;
  });
}

const WALLETS = 64;

function onFirstUse<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}

/** Makes the first USDC deposit, which creates the vault for the measured deposits. */
async function createVault({ servicePort, ledgerUrl }: Stack): Promise<void> {
  const payer = new Keypair(new Uint8Array(randomBytes(32)));
  await call(ledgerUrl, 'requestAirdrop', [payer.address, 1_000_000_000]);
  await call(ledgerUrl, 'requestTokenAirdrop', [payer.address, USDC_MINT, 1]);
  const response = await fetch(`http://127.0.0.1:${servicePort}/v1/spl/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner: payer.address, amount: 1, initVaultIfMissing: true }),
  });
  const { transactionBase64 } = (await response.json()) as { transactionBase64: string };
  // The layout with one signer: count, empty signature, message.
  const wire = Buffer.from(transactionBase64, 'base64');
  wire.set(payer.sign(wire.subarray(65)), 1);
  await call(ledgerUrl, 'sendTransaction', [wire.toString('base64'), { encoding: 'base64' }]);
}
