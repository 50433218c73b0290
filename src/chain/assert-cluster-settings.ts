import { ServiceError } from '../errors/service-error.ts';
import { readAddress } from './address-setting.ts';
import { parseAllowedHost, type AllowedHost } from './allowed-host.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import { CLUSTER_ROWS, CUSTOM_ROW, type ClusterRow } from './cluster-table.ts';

/**
 * Checks all that can be known of the settings of clusters before any is opened.
 *
 * @param hasLocalnet whether there is an embedded ledger.
 * @throws {ServiceError} CONFIG_INVALID when the default cluster cannot be used, or a setting of an address
 *   or a host is none.
 */
export function assertClusterSettings(settings: ClusterSettings, hasLocalnet: boolean): void {
  for (const { validator, lookupTable } of [...CLUSTER_ROWS, CUSTOM_ROW]) {
    readAddress(settings, validator);
    if (lookupTable !== null) readAddress(settings, lookupTable);
  }
  readAllowedHosts(settings);
  if (settings.cluster === 'localnet' && hasLocalnet) return;
  const row = rowsOf(settings).find(({ name }) => name === settings.cluster);
  const missing = row === undefined ? [] : missingFor(row, settings);
  if (row === undefined || missing.length > 0) throw unusableDefault(settings.cluster, missing);
}

/** The clusters that may be configured; `custom` can be named only where it is the default. */
export function rowsOf({ cluster }: Pick<ClusterSettings, 'cluster'>): readonly ClusterRow[] {
  return cluster === CUSTOM_ROW.name ? [CUSTOM_ROW, ...CLUSTER_ROWS] : CLUSTER_ROWS;
}

/** The variables a cluster needs and does not have. */
export function missingFor({ base, ephemeral }: ClusterRow, settings: ClusterSettings): string[] {
  const missing = [base, ephemeral].filter(({ key }) => settings[key].reveal().length === 0);
  return missing.map(({ variable }) => variable);
}

/**
 * The hosts that callers may name.
 *
 * @throws {ServiceError} CONFIG_INVALID when one is none.
 */
export function readAllowedHosts({ clusterAllowedHosts }: ClusterSettings): AllowedHost[] {
  return clusterAllowedHosts.map((text) => {
    const host = parseAllowedHost(text);
    if (host !== null) return host;
    throw new ServiceError('CONFIG_INVALID', `CLUSTER_ALLOWED_HOSTS has an entry that is no host: ${text}`);
  });
}

/** The error of a default cluster that lacks these variables, or is none. */
export function unusableDefault(cluster: string, missing: readonly string[]): ServiceError {
  const mend =
    missing.length > 0 ? `set ${missing.join(' and ')}, or choose another cluster` : 'choose another';
  return new ServiceError(
    'CONFIG_INVALID',
    `CLUSTER ${cluster} cannot be used as it is not configured: ${mend}`,
  );
}
