import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Clock, systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { temporaryFolder } from '../folders.ts';
import type { PlayedNetwork } from './played-network.ts';
import { ServiceClient } from './service-client.ts';

/** The machine's clock, which tests can advance. */
class ForwardClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  pass(ms: number): void {
    this.#aheadMs += ms;
  }
}

/** A running stack for a test. */
export interface Service {
  readonly client: ServiceClient;
  readonly ledgerUrl: string;
  readonly clock: ForwardClock;
}

/** Starts the whole stack in this process; `after` ends it (vitest's afterAll or onTestFinished). */
export async function startService(
  env: Readonly<Record<string, string>>,
  after: (end: () => Promise<void>) => void,
): Promise<Service> {
  const folder = await temporaryFolder(after);
  const clock = new ForwardClock();
  const app = await startApp(
    readConfig({ PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0', DATA_DIR: folder, ...env }),
    { clock, random: systemRandom, logger: silentLogger },
    { reset: false },
  );
  after(() => app.close());
  return { client: new ServiceClient(app.serviceUrl), ledgerUrl: app.ledgerUrl as string, clock };
}

/** Returns the variables that configure a network. */
export const networkVariables = (name: 'mainnet' | 'devnet', { base, rollup }: PlayedNetwork) =>
  name === 'mainnet'
    ? { BASE_RPC_URL: base.url.href, EPHEMERAL_RPC_URL: rollup.url.href }
    : { BASE_DEVNET_RPC_URL: base.url.href, EPHEMERAL_DEVNET_RPC_URL: rollup.url.href };
