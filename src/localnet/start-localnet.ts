import { assertEngineLoads } from '../stack/native-engine.ts';
import { localnetConfig } from './localnet-config.ts';
import type { Localnet } from './localnet.ts';
import type { LocalnetOptions } from './options.ts';

/**
 * Starts a whole localnet in this process: the service (MCP and REST), the ledger and the rollup, each on a
 * port of its own of 127.0.0.1. Several may run side by side; they share nothing. It neither reads the
 * environment nor listens to signals.
 *
 * The VM is native code: a program that makes it abort ends this process.
 *
 * @throws {ServiceError} CONFIG_INVALID for options that cannot work, ENGINE_UNAVAILABLE, PORT_IN_USE,
 *   PROGRAM_BINARIES_MISSING, PROVISION_INVALID for `programs`, and for `dataDir` LEDGER_FOLDER_IN_USE,
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const config = localnetConfig(options);
  // A missing engine is told in words: what follows would not even load.
  await assertEngineLoads();
  const { RunningLocalnet } = await import('./running-localnet.ts');
  return await RunningLocalnet.start(config, options);
}
