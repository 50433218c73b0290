import path from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { temporaryFolder } from '../folders.ts';
import { isRunning, startStack, waitFor, type StackProcess } from '../stack-process.ts';

/** The built program with the programs of the networks, on a new ledger. */
export class NetworkStack {
  /** Address of the sponsor of gasless payments. */
  readonly sponsor: string;
  /** Whether its rollup is another program. It has no logins, and processes a queue only on request. */
  readonly isExternal: boolean;
  readonly #start: () => Promise<StackProcess>;
  #process: StackProcess;

  constructor(sponsor: string, isExternal: boolean, start: () => Promise<StackProcess>, first: StackProcess) {
    this.sponsor = sponsor;
    this.isExternal = isExternal;
    this.#start = start;
    this.#process = first;
  }

  get serviceUrl(): string {
    return this.#process.serviceUrl;
  }

  get ledgerUrl(): string {
    return this.#process.ledgerUrl;
  }

  get rollupUrl(): string {
    return this.#process.rollupUrl;
  }

  /** Kills its processes with SIGKILL and restarts it. Its URLs may change. */
  async crash(): Promise<void> {
    const serving = this.#process.stackPid();
    const ended = this.#process.stop('SIGKILL');
    if (serving !== undefined) {
      process.kill(serving, 'SIGKILL');
      await waitFor(() => !isRunning(serving));
    }
    await ended;
    this.#process = await this.#start();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

/**
 * Starts a stack with the programs of a folder, which ends with the test.
 *
 * @param onEnd registers a function that runs after the test.
 * @param externalRollup the URL of a rollup in another program; null for the embedded one.
 */
export async function openNetworkStack(
  programs: string,
  onEnd: (act: () => Promise<void>) => void,
  externalRollup: string | null = null,
): Promise<NetworkStack> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(secret);
  const folder = await temporaryFolder(onEnd);
  const env = {
    LOG_LEVEL: 'error',
    GASLESS_SPONSOR_SECRET_KEY: JSON.stringify([...secret, ...getAddressEncoder().encode(address)]),
    ...(externalRollup !== null && { ROLLUP: 'external', EPHEMERAL_RPC_URL: externalRollup }),
  };
  const start = (): Promise<StackProcess> =>
    startStack(path.join(folder, 'ledger'), {
      args: ['--programs', path.resolve(programs)],
      env,
      cwd: folder,
    });
  const stack = new NetworkStack(address, externalRollup !== null, start, await start());
  onEnd(() => stack.stop());
  return stack;
}
