import { ServiceError } from '../errors/service-error.ts';
import type { Chain } from './chain.ts';

/** What {@link Clusters} knows beside the clusters that can be used. */
export interface ClusterExtras {
  /** Clusters that exist but are not configured, with the environment variables that are missing. */
  readonly unconfigured?: ReadonlyMap<string, readonly string[]>;
  /** Opens clusters that callers name by URL; without it there are none. */
  readonly custom?: { resolve(url: string): Chain };
  /** Ends what goes on in the background and drops connections. */
  readonly close?: () => void;
}

/** The clusters an operator has configured, by name. */
export class Clusters {
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #default: Chain;
  readonly #extras: ClusterExtras;

  /** `chains` in the order they are offered; the first is the default. */
  constructor(chains: readonly [Chain, ...Chain[]], extras: ClusterExtras = {}) {
    this.#chains = new Map(chains.map((chain) => [chain.cluster, chain]));
    this.#default = chains[0];
    this.#extras = extras;
  }

  /** Names callers may use. */
  get names(): readonly string[] {
    return [...this.#chains.keys()];
  }

  /** Whether callers may name further clusters by URL. */
  get takesUrls(): boolean {
    return this.#extras.custom !== undefined;
  }

  /**
   * The chain a request means: the default without a name. Names are compared without regard to case and
   * outer space.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED for anything that was not configured, and for URLs whose host
   *   the operator has not allowed.
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

  /**
   * Ends what goes on in the background and drops all connections: for when no request is under way any more.
   */
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
