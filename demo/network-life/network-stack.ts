import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { OwnStack } from '../stack.ts';

/** How a stack is started. */
interface NetworkStackOptions {
  /** Where its ledger is. */
  readonly folder: string;
  readonly sponsor: { readonly address: string; readonly key: string };
  /** URL of a rollup that is another program; null for the embedded one. */
  readonly externalRollup: string | null;
}

/** A stack of layout B with a fresh ledger, which goes away with the demo. */
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
  const folder = await mkdtemp(join(tmpdir(), 'spl-demo-'));
  const sponsor = { address, key };
  const stack = new NetworkStack(resolve(programs), { folder, sponsor, externalRollup });
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
