import { ServiceError } from '../errors/service-error.ts';
import type { Chain } from './chain.ts';

/** The clusters an operator has configured, by name. */
export class Clusters {
  readonly #chains: ReadonlyMap<string, Chain>;
  readonly #default: Chain;

  /** `chains` in the order they are offered; the first is the default. */
  constructor(chains: readonly [Chain, ...Chain[]]) {
    this.#chains = new Map(chains.map((chain) => [chain.cluster, chain]));
    this.#default = chains[0];
  }

  /** Names callers may use. */
  get names(): readonly string[] {
    return [...this.#chains.keys()];
  }

  /**
   * The chain a request means: the default without a name. Names are compared without regard to case and outer space.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED for anything that was not configured, URLs included.
   */
  resolve(name: string | undefined): Chain {
    if (name === undefined) return this.#default;
    const chain = this.#chains.get(name.trim().toLowerCase());
    if (chain === undefined) {
      throw new ServiceError('CLUSTER_NOT_ALLOWED', `cluster must be one of: ${this.names.join(', ')}`, {
        field: 'cluster',
        allowed: this.names,
      });
    }
    return chain;
  }
}
