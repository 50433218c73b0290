import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import type { Chain, Rollup } from './chain.ts';
import {
  type ClusterRow,
  type ClusterSettings,
  CUSTOM_ROW,
  missingFor,
  readAddress,
  readAllowedHosts,
  rowsOf,
  unusableDefault,
} from './cluster-settings.ts';
import { createPublicLookup, CustomClusters, type ResolveAll } from './custom-clusters.ts';
import { RpcChain, type RpcChainOptions } from './upstream/rpc-ledger-client.ts';
import { RpcRollup } from './upstream/rpc-rollup.ts';
import { createHttpTransport } from './upstream/transport.ts';
import type { UpstreamPorts } from './upstream/upstream.ts';

/** Optional parts of {@link Clusters}. */
export interface ClusterExtras {
  /** Clusters that exist but are not configured, with their missing environment variables. */
  readonly unconfigured?: ReadonlyMap<string, readonly string[]>;
  /** Opens the clusters that callers name by URL; absent if callers may not name URLs. */
  readonly custom?: { resolve(url: string): Chain };
  /** Stops background work and closes connections. */
  readonly close?: () => void;
}

/** The configured clusters, by name. */
export class Clusters {
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #default: Chain;
  readonly #extras: ClusterExtras;

  /** @param chains in the order they are offered; the first is the default. */
  constructor(chains: readonly [Chain, ...Chain[]], extras: ClusterExtras = {}) {
    this.#chains = new Map(chains.map((chain) => [chain.cluster, chain]));
    this.#default = chains[0];
    this.#extras = extras;
  }

  /** The names callers may use. */
  get names(): readonly string[] {
    return [...this.#chains.keys()];
  }

  /** Whether callers may also name clusters by URL. */
  get takesUrls(): boolean {
    return this.#extras.custom !== undefined;
  }

  /**
   * Returns the chain with this name, or the default chain if `name` is undefined. Ignores case and
   * surrounding white space.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED if the cluster is not configured, or if the host of a URL is
   *   not allowed.
   */
  resolve(name: string | undefined): Chain {
    if (name === undefined) return this.#default;
    const trimmed = name.trim();
    const chain = this.#chains.get(trimmed.toLowerCase());
    if (chain !== undefined) return chain;
    if (this.#extras.custom !== undefined && trimmed.includes(':'))
      return this.#extras.custom.resolve(trimmed);
    throw this.#refusal(trimmed.toLowerCase());
  }

  /** Stops background work and closes all connections. Call it only when no request is in flight. */
  close(): void {
    this.#extras.close?.();
  }

  #refusal(name: string): ServiceError {
    const missing = this.#extras.unconfigured?.get(name) ?? [];
    const why =
      missing.length > 0
        ? `cluster ${name} is not configured on this service (missing: ${missing.join(', ')}); pass one of`
        : 'cluster must be one of';
    return new ServiceError('CLUSTER_NOT_ALLOWED', `${why}: ${this.names.join(', ')}`, {
      field: 'cluster',
      allowed: this.names,
      ...(missing.length > 0 && { missing }),
    });
  }
}

interface ClusterPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The embedded ledger; null if there is none. */
  readonly localnet: Chain | null;
  /** The timer; defaults to the system timer. */
  readonly timer?: Timer;
  /** Resolves the hosts of callers' URLs. Defaults to the system resolver. */
  readonly resolveHost?: ResolveAll;
}

/**
 * Creates the configured clusters: localnet if there is an embedded ledger, the networks whose variables are
 * set, and clusters that callers name by URL on allowed hosts. Connections open on first use.
 *
 * @throws {ServiceError} CONFIG_INVALID if the default cluster is not usable, or if an address or host
 *   setting does not parse.
 */
export function createClusters(
  settings: ClusterSettings,
  { clock, random, logger, localnet, timer = systemTimer, resolveHost }: ClusterPorts,
): Clusters {
  const shared = { clock, random, logger, timer };
  /** Ports for upstreams that the operator configured. */
  const trusted = { ...shared, transport: createHttpTransport() };
  /** Ports for upstreams that callers name. They connect to public addresses only. */
  const guarded = { ...shared, transport: createHttpTransport(createPublicLookup(resolveHost)) };
  /** Rollups by the setting that contains their URLs, because several clusters may share one rollup. */
  const rollups = new Map<string, RpcRollup>();
  const rollupOf = (row: ClusterRow): RpcRollup | null => {
    const place = placeOf(row, settings);
    if (place.urls.length === 0) return null;
    let rollup = rollups.get(row.ephemeral.key);
    if (rollup === undefined) {
      rollup = new RpcRollup(`the rollup of ${row.name}`, place, trusted);
      rollups.set(row.ephemeral.key, rollup);
    }
    return rollup;
  };
  const open = (row: ClusterRow, urls: readonly URL[], ports: UpstreamPorts): RpcChain =>
    new RpcChain(factsOf(row, settings), urls, rollupOf(row), ports);

  const unconfigured = new Map<string, readonly string[]>();
  const rpcChains: RpcChain[] = [];
  for (const row of rowsOf(settings)) {
    const missing = missingFor(row, settings);
    if (missing.length > 0) unconfigured.set(row.name, missing);
    else rpcChains.push(open(row, settings[row.base.key].reveal(), trusted));
  }
  const hosts = readAllowedHosts(settings);
  const custom =
    hosts.length === 0 ? undefined : new CustomClusters(hosts, (url) => open(CUSTOM_ROW, [url], guarded));
  const chains = localnet === null ? rpcChains : [localnet, ...rpcChains];
  const first = chains.find(({ cluster }) => cluster === settings.cluster);
  if (first === undefined) throw unusableDefault(settings.cluster, unconfigured.get(settings.cluster) ?? []);
  const close = (): void => {
    for (const closable of [...rpcChains, ...rollups.values()]) closable.close();
    custom?.close();
    trusted.transport.close();
    guarded.transport.close();
  };
  const others = chains.filter((chain) => chain !== first);
  return new Clusters([first, ...others], { unconfigured, close, ...(custom && { custom }) });
}

const factsOf = (row: ClusterRow, settings: ClusterSettings): RpcChainOptions => ({
  cluster: row.name,
  network: row.network,
  layout: settings[row.layout],
  defaultMint: row.defaultMint,
  transferLookupTable: row.lookupTable && readAddress(settings, row.lookupTable),
  defaultValidator: readAddress(settings, row.validator),
  validatorVariable: row.validator.variable,
});

const placeOf = ({ ephemeral, publicUrl, hasLogin, validator }: ClusterRow, settings: ClusterSettings) => ({
  urls: settings[ephemeral.key].reveal(),
  publicUrl: settings[publicUrl],
  hasLogin,
  validator: readAddress(settings, validator),
  validatorVariable: validator.variable,
});

const VALIDATOR = { key: 'ephemeralValidator', variable: 'EPHEMERAL_VALIDATOR' } as const;

/** A rollup for localnet that runs in a separate program. */
interface ExternalRollup {
  readonly rollup: Rollup;
  /** Stops background work and closes connections. Call it only when no request is in flight. */
  close(): void;
}

/**
 * Opens the rollup at `EPHEMERAL_RPC_URL` for localnet: MagicBlock's ephemeral validator with this node as
 * its base chain. It does not support logins. Connections open on first use.
 *
 * @throws {ServiceError} CONFIG_INVALID if the URL is not set, or if `EPHEMERAL_VALIDATOR` is not an address.
 */
export function openExternalRollup(
  settings: Pick<ClusterSettings, 'ephemeralRpcUrl' | 'ephemeralPublicUrl' | 'ephemeralValidator'>,
  { clock, random, logger, timer = systemTimer }: Omit<ClusterPorts, 'localnet' | 'resolveHost'>,
): ExternalRollup {
  const urls = settings.ephemeralRpcUrl.reveal();
  if (urls.length === 0) {
    throw new ServiceError('CONFIG_INVALID', 'ROLLUP is external: set EPHEMERAL_RPC_URL to its URL');
  }
  const transport = createHttpTransport();
  const place = {
    urls,
    publicUrl: settings.ephemeralPublicUrl,
    hasLogin: false,
    validator: readAddress(settings, VALIDATOR),
    validatorVariable: VALIDATOR.variable,
  };
  const rollup = new RpcRollup('the rollup of localnet', place, { clock, random, logger, timer, transport });
  return {
    rollup,
    close() {
      rollup.close();
      transport.close();
    },
  };
}
