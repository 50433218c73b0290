import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { NOTHING_PROVIDED, type ProvisionOptions } from '../../src/stack/provision-options.ts';

/** The whole stack in this process, on free loopback ports. */
export interface RunningApp {
  readonly serviceUrl: string;
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  /** Creates a new wallet with 10 SOL and `usdc` base units of USDC. */
  wallet(usdc?: number): Promise<KeyPairSigner>;
  /** Calls a method of the base ledger. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts the whole stack.
 *
 * @param programs the folder with the programs of layout B; without it, the stack uses layout A.
 * @param settings additional environment variables.
 * @param provision flags of the ledger's genesis.
 */
export async function runApp(
  programs?: string,
  settings: Readonly<Record<string, string>> = {},
  provision: Partial<ProvisionOptions> = {},
): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const config = readConfig({
    PORT: '0',
    LEDGER_RPC_PORT: '0',
    ROLLUP_RPC_PORT: '0',
    DATA_DIR: folder,
    ...(programs !== undefined && { LOCALNET_PROGRAMS: programs }),
    ...settings,
  });
  const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const app = await startApp(config, ports, {
    reset: false,
    provision: { ...NOTHING_PROVIDED, ...provision },
  });
  const ledgerUrl = app.ledgerUrl ?? '';
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(ledgerUrl, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  return {
    serviceUrl: app.serviceUrl,
    ledgerUrl,
    rollupUrl: app.rollupUrl ?? '',
    ask,
    wallet: async (usdc = 10_000_000) => {
      const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(randomBytes(32)));
      await ask('requestAirdrop', signer.address, 10_000_000_000);
      await ask('requestTokenAirdrop', signer.address, USDC_MINT, usdc);
      return signer;
    },
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
