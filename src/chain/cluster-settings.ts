import { isIP } from 'node:net';
import { ServiceError } from '../errors/service-error.ts';
import { USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { type Address, isAddress } from '../solana/address.ts';
import type { Layout, Network } from './chain.ts';

/** A secret value, readable only by an explicit call. */
export interface Concealed<T> {
  reveal(): T;
}

/** The URLs of one upstream in order of preference; empty if not configured. They may contain API keys. */
type Urls = Concealed<readonly URL[]>;

/** The operator's cluster settings, under the names the configuration uses. */
export interface ClusterSettings {
  /** The default cluster. */
  readonly cluster: string;
  readonly baseRpcUrl: Urls;
  readonly ephemeralRpcUrl: Urls;
  readonly ephemeralTeeRpcUrl: Urls;
  readonly baseDevnetRpcUrl: Urls;
  readonly ephemeralDevnetRpcUrl: Urls;
  readonly ephemeralDevnetTeeRpcUrl: Urls;
  /** The rollup URL shown to callers; null to derive it from the configured URLs. */
  readonly ephemeralPublicUrl: string | null;
  readonly ephemeralTeePublicUrl: string | null;
  readonly ephemeralDevnetPublicUrl: string | null;
  readonly ephemeralDevnetTeePublicUrl: string | null;
  /**
   * The validator of each rollup; null if not set. It must match the validator that the rollup reports, and
   * is used while the rollup reports none.
   */
  readonly ephemeralValidator: string | null;
  readonly ephemeralTeeValidator: string | null;
  readonly ephemeralDevnetValidator: string | null;
  readonly ephemeralDevnetTeeValidator: string | null;
  readonly baseLayout: Layout;
  readonly baseDevnetLayout: Layout;
  /** Addresses of lookup tables for private base-to-base transfers; null if a cluster has none. */
  readonly localnetLookupTable: string | null;
  readonly mainnetLookupTable: string | null;
  readonly devnetLookupTable: string | null;
  /** Hosts that a caller's cluster URL may name. */
  readonly clusterAllowedHosts: readonly string[];
}

type KeyOf<T> = {
  [Key in keyof ClusterSettings]: ClusterSettings[Key] extends T ? Key : never;
}[keyof ClusterSettings];

/** A setting and the environment variable that sets it. */
interface Setting<Key> {
  readonly key: Key;
  readonly variable: string;
}

/** The sources of a named cluster's settings. */
export interface ClusterRow {
  readonly name: string;
  readonly network: Network;
  readonly base: Setting<KeyOf<{ reveal(): readonly URL[] }>>;
  readonly ephemeral: Setting<KeyOf<{ reveal(): readonly URL[] }>>;
  readonly publicUrl: KeyOf<string | null>;
  /** Whether the rollup has a login. Only private rollups have a login. */
  readonly hasLogin: boolean;
  readonly validator: Setting<KeyOf<string | null>>;
  readonly layout: KeyOf<ClusterSettings['baseLayout']>;
  readonly lookupTable: Setting<KeyOf<string | null>> | null;
  /** The network's USDC mint; mainnet's if the network is unknown. */
  readonly defaultMint: Address;
}

/** The setting that names the lookup table of the embedded ledger. */
export const LOCALNET_LOOKUP_TABLE = {
  key: 'localnetLookupTable',
  variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_LOCALNET_LOOKUP_TABLE',
} as const;

const MAINNET = {
  network: 'mainnet',
  base: { key: 'baseRpcUrl', variable: 'BASE_RPC_URL' },
  ephemeral: { key: 'ephemeralRpcUrl', variable: 'EPHEMERAL_RPC_URL' },
  publicUrl: 'ephemeralPublicUrl',
  hasLogin: false,
  validator: { key: 'ephemeralValidator', variable: 'EPHEMERAL_VALIDATOR' },
  layout: 'baseLayout',
  lookupTable: { key: 'mainnetLookupTable', variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE' },
  defaultMint: USDC_MINT,
} as const;

const DEVNET = {
  network: 'devnet',
  base: { key: 'baseDevnetRpcUrl', variable: 'BASE_DEVNET_RPC_URL' },
  ephemeral: { key: 'ephemeralDevnetRpcUrl', variable: 'EPHEMERAL_DEVNET_RPC_URL' },
  publicUrl: 'ephemeralDevnetPublicUrl',
  hasLogin: false,
  validator: { key: 'ephemeralDevnetValidator', variable: 'EPHEMERAL_DEVNET_VALIDATOR' },
  layout: 'baseDevnetLayout',
  lookupTable: { key: 'devnetLookupTable', variable: 'PRIVATE_BASE_TO_BASE_TRANSFER_DEVNET_LOOKUP_TABLE' },
  defaultMint: USDC_DEVNET_MINT,
} as const;

/** A ledger named by URL or `CLUSTER=custom`. It uses mainnet's rollup and no table, like the hosted API. */
export const CUSTOM_ROW: ClusterRow = { ...MAINNET, name: 'custom', network: 'custom', lookupTable: null };

/** The named clusters except localnet, with the variables of the hosted Private Payments API. */
export const CLUSTER_ROWS: readonly ClusterRow[] = [
  { ...MAINNET, name: 'mainnet' },
  { ...DEVNET, name: 'devnet' },
  {
    ...MAINNET,
    name: 'mainnet-private',
    ephemeral: { key: 'ephemeralTeeRpcUrl', variable: 'EPHEMERAL_TEE_RPC_URL' },
    publicUrl: 'ephemeralTeePublicUrl',
    hasLogin: true,
    validator: { key: 'ephemeralTeeValidator', variable: 'EPHEMERAL_TEE_VALIDATOR' },
  },
  {
    ...DEVNET,
    name: 'devnet-private',
    ephemeral: { key: 'ephemeralDevnetTeeRpcUrl', variable: 'EPHEMERAL_DEVNET_TEE_RPC_URL' },
    publicUrl: 'ephemeralDevnetTeePublicUrl',
    hasLogin: true,
    validator: { key: 'ephemeralDevnetTeeValidator', variable: 'EPHEMERAL_DEVNET_TEE_VALIDATOR' },
  },
];

/** Returns the environment variable for the lookup table of a network; undefined if there is none. */
export const lookupTableVariable = (network: Network): string | undefined =>
  network === 'localnet'
    ? LOCALNET_LOOKUP_TABLE.variable
    : CLUSTER_ROWS.find((row) => row.network === network)?.lookupTable?.variable;

/**
 * Parses an address setting; null if it is not set.
 *
 * @throws {ServiceError} CONFIG_INVALID if the setting is not an address.
 */
export function readAddress<Key extends string>(
  settings: Readonly<Record<Key, string | null>>,
  { key, variable }: Setting<Key>,
): Address | null {
  const text: string | null = settings[key];
  if (text === null || isAddress(text)) return text;
  throw new ServiceError('CONFIG_INVALID', `${variable} must be a base58 Solana address of 32 bytes`);
}

/** A host that a caller's cluster URL may name. */
export interface AllowedHost {
  /** The host name in the form of `URL.hostname`: lower case, IPv6 in brackets. */
  readonly hostname: string;
  /** The only port allowed; null for the default port of the scheme. */
  readonly port: number | null;
}

/** Parses `rpc.example.com`, `rpc.example.com:8899` or `[::1]:8899`; null if it is not a host. */
export function parseAllowedHost(text: string): AllowedHost | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null || !URL.canParse(`http://${match[1]}/`)) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { hostname: new URL(`http://${match[1]}/`).hostname, port };
}

/** Whether the host and port of a URL match an allowed host. */
export function isAllowed({ hostname, port }: AllowedHost, url: URL): boolean {
  if (url.hostname !== hostname) return false;
  return port === null ? url.port === '' : portOf(url) === port;
}

/** Whether the host of a URL is a literal IP address. */
export function hasLiteralHost(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

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

/** Returns the clusters that may be configured. `custom` is included only if it is the default cluster. */
export function rowsOf({ cluster }: Pick<ClusterSettings, 'cluster'>): readonly ClusterRow[] {
  return cluster === CUSTOM_ROW.name ? [CUSTOM_ROW, ...CLUSTER_ROWS] : CLUSTER_ROWS;
}

/** Returns the environment variables a cluster still needs before it can be used. */
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
    throw new ServiceError(
      'CONFIG_INVALID',
      `CLUSTER_ALLOWED_HOSTS contains ${text}, which is not a host: use a name such as rpc.example.com`,
    );
  });
}

/** Creates the error for a default cluster that does not exist or lacks these variables. */
export function unusableDefault(cluster: string, missing: readonly string[]): ServiceError {
  const fix =
    missing.length > 0 ? `set ${missing.join(' and ')}, or choose another cluster` : 'choose another';
  return new ServiceError('CONFIG_INVALID', `CLUSTER ${cluster} is not configured: ${fix}`);
}
