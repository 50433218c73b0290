import { ServiceError } from '../errors/service-error.ts';
import { readAddress } from './address-setting.ts';
import { parseAllowedHost, type AllowedHost } from './allowed-host.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import { CLUSTER_ROWS, CUSTOM_ROW, LOCALNET_LOOKUP_TABLE, type ClusterRow } from './cluster-table.ts';

/**
 * Checks the cluster settings as far as possible without opening a connection.
 *
 * @param hasLocalnet whether there is an embedded ledger.
 * @throws {ServiceError} CONFIG_INVALID if the default cluster is not usable, or if an address or host
 *   setting does not parse.
 */
export function assertClusterSettings(settings: ClusterSettings, hasLocalnet: boolean): void {
  for (const { validator, lookupTable } of [...CLUSTER_ROWS, CUSTOM_ROW]) {
    readAddress(settings, validator);
    if (lookupTable !== null) readAddress(settings, lookupTable);
  }
  readAddress(settings, LOCALNET_LOOKUP_TABLE);
  readAllowedHosts(settings);
  if (settings.cluster === 'localnet' && hasLocalnet) return;
  const row = rowsOf(settings).find(({ name }) => name === settings.cluster);
  const missing = row === undefined ? [] : missingFor(row, settings);
  if (row === undefined || missing.length > 0) throw unusableDefault(settings.cluster, missing);
}

/** The clusters that may be configured. `custom` is among them only as the default cluster. */
export function rowsOf({ cluster }: Pick<ClusterSettings, 'cluster'>): readonly ClusterRow[] {
  return cluster === CUSTOM_ROW.name ? [CUSTOM_ROW, ...CLUSTER_ROWS] : CLUSTER_ROWS;
}

/** The environment variables a cluster still needs before it can be used. */
export function missingFor({ base, ephemeral }: ClusterRow, settings: ClusterSettings): string[] {
  const missing = [base, ephemeral].filter(({ key }) => settings[key].reveal().length === 0);
  return missing.map(({ variable }) => variable);
}

/**
 * Parses the hosts that callers may name.
 *
 * @throws {ServiceError} CONFIG_INVALID if an entry is not a host.
 */
export function readAllowedHosts({ clusterAllowedHosts }: ClusterSettings): AllowedHost[] {
  return clusterAllowedHosts.map((text) => {
    const host = parseAllowedHost(text);
    if (host !== null) return host;
    throw new ServiceError('CONFIG_INVALID', `CLUSTER_ALLOWED_HOSTS has an entry that is no host: ${text}`);
  });
}

/** The error for a default cluster that does not exist or lacks these variables. */
export function unusableDefault(cluster: string, missing: readonly string[]): ServiceError {
  const mend =
    missing.length > 0 ? `set ${missing.join(' and ')}, or choose another cluster` : 'choose another';
  return new ServiceError(
    'CONFIG_INVALID',
    `CLUSTER ${cluster} cannot be used as it is not configured: ${mend}`,
  );
}
