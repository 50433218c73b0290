import { type Config, readConfig } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { assertEngineLoads } from '../ledger/engine/native-package.ts';
import type { Localnet, LocalnetOptions } from './localnet.ts';

/** Settings that are rejected, because an option replaces them or a localnet does not support them. */
const NOT_SETTINGS: Readonly<Record<string, string>> = {
  PORT: 'pass ports.service',
  LEDGER_RPC_PORT: 'pass ports.base',
  ROLLUP_RPC_PORT: 'pass ports.rollup',
  DATA_DIR: 'pass dataDir',
  LOCALNET_PROGRAMS: 'pass programs',
  LEDGER_UPSTREAM_URL: 'a localnet has its own ledger',
  ROLLUP: 'a localnet has its own rollup',
  WORKERS: 'a localnet runs in one process',
  LOG_LEVEL: 'pass logger',
};

/**
 * Reads the settings of a localnet, without the environment.
 *
 * @throws {ServiceError} CONFIG_INVALID.
 */
function localnetConfig({ programs, dataDir, ports = {}, settings = {} }: LocalnetOptions): Config {
  for (const [name, fix] of Object.entries(NOT_SETTINGS)) {
    if (name in settings) throw new ServiceError('CONFIG_INVALID', `settings cannot contain ${name}: ${fix}`);
  }
  const config = readConfig({
    ...settings,
    PORT: String(ports.service ?? 0),
    LEDGER_RPC_PORT: String(ports.base ?? 0),
    ROLLUP_RPC_PORT: String(ports.rollup ?? 0),
    ...(dataDir !== undefined && { DATA_DIR: dataDir }),
    ...(programs !== undefined && { LOCALNET_PROGRAMS: programs }),
  });
  if (config.exposure !== 'network') return config;
  throw new ServiceError('CONFIG_INVALID', 'settings cannot open a localnet to the network: remove HOST');
}

/**
 * Starts a localnet in this process: the service (MCP and REST), the ledger and the rollup, each on its own
 * port of 127.0.0.1. Several localnets can run in one process. They do not read the environment or handle
 * signals.
 *
 * The VM is native code, so this process ends if a program aborts the VM.
 *
 * @throws {ServiceError} CONFIG_INVALID for invalid options, ENGINE_UNAVAILABLE, PORT_IN_USE,
 *   PROGRAM_BINARIES_MISSING, PROVISION_INVALID for `programs`, and for `dataDir` LEDGER_FOLDER_IN_USE,
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const config = localnetConfig(options);
  // The engine is checked first, because the next import fails without it.
  await assertEngineLoads();
  const { RunningLocalnet } = await import('./running-localnet.ts');
  return await RunningLocalnet.start(config, options);
}
