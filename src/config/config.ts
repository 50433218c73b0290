import { ServiceError } from '../errors/service-error.ts';
import { isLoopback } from '../http/host-guard.ts';
import { CLUSTER_NAMES, RPC_URL_KEYS } from './cluster-variables.ts';
import { gatewayFaults, isGateway } from './gateway-settings.ts';
import type { Secret } from './secret.ts';
import type { Variable } from './variable.ts';
import { VARIABLES, type Settings } from './variables.ts';

export { CLUSTER_NAMES } from './cluster-variables.ts';
export { isGateway } from './gateway-settings.ts';
export { LOG_LEVELS, VARIABLES } from './variables.ts';

/** Settings that {@link settle} makes something else of. */
type Settled = 'cluster' | 'gaslessSponsorSecretKeyFile' | 'ledgerCheats' | 'metrics';

/** The settings the process runs with. */
export interface Config extends Omit<Settings, Settled> {
  /** The cluster requests mean that name none. */
  readonly cluster: (typeof CLUSTER_NAMES)[number];
  /** From the variable or from the file; null for none. */
  readonly gaslessSponsorSecretKey: Secret<string> | null;
  /** Whether callers may change the ledger without a transaction. Never where others than this machine reach it. */
  readonly ledgerCheats: boolean;
  readonly metrics: boolean;
}

/**
 * Reads the settings from environment variables, and the sponsor's key from its file. Unset and blank ones take their
 * default.
 *
 * @throws {ServiceError} CONFIG_INVALID with one line per fault, each naming the variable and the mend, none of them
 *   repeating a secret.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = env[variable.name]?.trim();
    try {
      settings[key] = variable.parse(given === undefined || given === '' ? variable.default : given);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const shown = variable.isSecret === true ? '' : ` (it is ${JSON.stringify(given)})`;
      faults.push(`${variable.name} ${error.message}${shown}`);
    }
  }
  if (faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return settle(settings as Settings);
}

/** Decides what several variables decide together. */
function settle(settings: Settings): Config {
  const { gaslessSponsorSecretKeyFile, ...kept } = settings;
  const { gaslessSponsorSecretKey, ledgerCheats, metrics, host } = kept;
  const cluster = settings.cluster ?? defaultCluster(settings);
  const faults = [...portFaults(settings), ...gatewayFaults(settings)];
  if (cluster === null) faults.push(noClusterFault(settings));
  if (ledgerCheats === true && !isLoopback(host)) {
    faults.push(
      `LEDGER_CHEATS is on while HOST ${host} is open to the network: bind to 127.0.0.1 or turn it off`,
    );
  }
  if (gaslessSponsorSecretKey !== null && gaslessSponsorSecretKeyFile !== null) {
    faults.push('GASLESS_SPONSOR_SECRET_KEY and GASLESS_SPONSOR_SECRET_KEY_FILE are both set: keep one');
  }
  if (cluster === null || faults.length > 0) throw new ServiceError('CONFIG_INVALID', faults.join('\n'));
  return {
    ...kept,
    cluster,
    gaslessSponsorSecretKey: gaslessSponsorSecretKey ?? gaslessSponsorSecretKeyFile,
    ledgerCheats: ledgerCheats ?? (isLoopback(host) && !isGateway(settings)),
    metrics: metrics ?? isLoopback(host),
  };
}

/**
 * The cluster when `CLUSTER` is not set: mainnet as in the hosted Private Payments API, which cannot do without its URL;
 * localnet where there is no URL at all, and an embedded ledger; null where it would be a guess.
 */
function defaultCluster(settings: Settings): Config['cluster'] | null {
  if (settings.baseRpcUrl.reveal().length > 0) return 'mainnet';
  const hasNoUrl = RPC_URL_KEYS.every((key) => settings[key].reveal().length === 0);
  return hasNoUrl && !isGateway(settings) ? 'localnet' : null;
}

function noClusterFault(settings: Settings): string {
  const names = CLUSTER_NAMES.filter((name) => name !== 'localnet' || !isGateway(settings)).join(', ');
  const mend = `CLUSTER must be set: without BASE_RPC_URL the choice between ${names} is not clear`;
  return isGateway(settings) ? `${mend}, as LEDGER_UPSTREAM_URL replaces the embedded ledger` : mend;
}

function portFaults({ port, ledgerRpcPort }: Pick<Config, 'port' | 'ledgerRpcPort'>): string[] {
  if (port === 0 || ledgerRpcPort === 0) return [];
  if (port !== ledgerRpcPort && port !== ledgerRpcPort + 1) return [];
  return [
    `PORT ${port} collides with LEDGER_RPC_PORT ${ledgerRpcPort}, which takes that port and the next one: choose another`,
  ];
}
