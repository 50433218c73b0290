import { ServiceError } from '../errors/service-error.ts';
import type { Chain } from './chain.ts';

/** What {@link Clusters} holds besides the usable clusters. */
export interface ClusterExtras {
  /** Clusters that exist but are not configured, with their missing environment variables. */
  readonly unconfigured?: ReadonlyMap<string, readonly string[]>;
  /** Opens the clusters that callers name by URL; absent if callers may not. */
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
   * The chain a request refers to; the default one if no name is given. Case and surrounding white space are
   * ignored.
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
        ? `cluster ${name} is not configured on this service, which needs ${missing.join(' and ')} for it; pass one of`
        : 'cluster must be one of';
    return new ServiceError('CLUSTER_NOT_ALLOWED', `${why}: ${this.names.join(', ')}`, {
      field: 'cluster',
      allowed: this.names,
      ...(missing.length > 0 && { missing }),
    });
  }
}
