import { readConfig, type Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { LocalnetOptions } from './options.ts';

/** The variables that options set, or that would make something else of a localnet. */
const NOT_SETTINGS: Readonly<Record<string, string>> = {
  PORT: 'pass ports.service',
  LEDGER_RPC_PORT: 'pass ports.base',
  ROLLUP_RPC_PORT: 'pass ports.rollup',
  DATA_DIR: 'pass dataDir',
  LOCALNET_PROGRAMS: 'pass programs',
  LEDGER_UPSTREAM_URL: 'a localnet has a ledger of its own',
  ROLLUP: 'a localnet has a rollup of its own',
  WORKERS: 'a localnet runs in one process',
  LOG_LEVEL: 'pass logger',
};

/**
 * The settings of a localnet. Those of the environment do not count: they are another program's.
 *
 * @throws {ServiceError} CONFIG_INVALID.
 */
export function localnetConfig({ programs, dataDir, ports = {}, settings = {} }: LocalnetOptions): Config {
  for (const [name, mend] of Object.entries(NOT_SETTINGS)) {
    if (name in settings) throw new ServiceError('CONFIG_INVALID', `settings cannot have ${name}: ${mend}`);
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
  throw new ServiceError('CONFIG_INVALID', 'settings cannot open a localnet to the network: leave HOST out');
}
