import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { OwnStack } from '../stack.ts';

/** A stack of layout B with a fresh ledger, which goes away with the demo. */
export class NetworkStack extends OwnStack {
  /** Who pays for gasless payments. */
  readonly sponsor: string;
  readonly #folder: string;

  constructor(programs: string, folder: string, sponsor: { readonly address: string; readonly key: string }) {
    const env = {
      PATH: process.env['PATH'],
      PORT: '0',
      LEDGER_RPC_PORT: '0',
      ROLLUP_RPC_PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: join(folder, 'ledger'),
      GASLESS_SPONSOR_SECRET_KEY: sponsor.key,
    };
    super('', '', ['--programs', programs], { cwd: folder, env, detached: true });
    this.sponsor = sponsor.address;
    this.#folder = folder;
  }

  /** Removes its ledger. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Starts a stack with the programs of a folder. It ends with this process. */
export async function openNetworkStack(programs: string): Promise<NetworkStack> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(secret);
  const key = JSON.stringify([...secret, ...getAddressEncoder().encode(address)]);
  const folder = await mkdtemp(join(tmpdir(), 'spl-demo-'));
  const stack = new NetworkStack(resolve(programs), folder, { address, key });
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
