import type { Chain, Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';

/**
 * Names the clusters with layout A of the ephemeral SPL token program, as part of a sentence (`localnet and
 * devnet`); null if there are none.
 */
export function layoutANames(clusters: Pick<Clusters, 'names' | 'resolve'>): string | null {
  const names = clusters.names.filter((name) => clusters.resolve(name).layout === 'a');
  const [last, ...others] = names.toReversed();
  if (last === undefined) return null;
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

/**
 * Returns the chain for an operation that requires layout B.
 *
 * @param named the cluster of the request; the default cluster if absent.
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED, and the errors of {@link requireLayoutB}.
 */
export function resolveLayoutB(what: string, named: string | undefined, clusters: Clusters): Chain {
  const chain = clusters.resolve(named);
  requireLayoutB(what, chain, clusters);
  return chain;
}

/**
 * Rejects a feature of layout B (shuttles, transfer queues, stealth pools) on a cluster with layout A of the
 * ephemeral SPL token program.
 *
 * @param what the operation or a part of it, as the subject of a sentence.
 * @param instead an alternative on the cluster itself, as an instruction; null if there is none.
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with the clusters that support it.
 */
export function requireLayoutB(
  what: string,
  chain: Chain,
  clusters: Clusters,
  instead: string | null = null,
): void {
  if (chain.layout === 'b') return;
  const able = clusters.names.filter((name) => clusters.resolve(name).layout === 'b');
  const own =
    chain.network === 'localnet'
      ? 'start localnet with the programs of the Solana networks (LOCALNET_PROGRAMS), or '
      : '';
  const advice =
    able.length > 0
      ? `pass cluster ${able.join(' or ')}`
      : 'configure mainnet (BASE_RPC_URL and EPHEMERAL_RPC_URL) or devnet (BASE_DEVNET_RPC_URL and EPHEMERAL_DEVNET_RPC_URL)';
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} does not exist on cluster ${chain.cluster}, whose program has no shuttles and queues; ${instead === null ? '' : `${instead}, or `}${own}${advice}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}

/**
 * Returns the rollup of a cluster.
 *
 * @param what the operation that needs the rollup, as the subject of a sentence.
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with the clusters that have a rollup.
 */
export function requireRollup(what: string, chain: Chain, clusters: Clusters): Rollup {
  if (chain.rollup !== null) return chain.rollup;
  const able = clusters.names.filter((name) => clusters.resolve(name).rollup !== null);
  const own = chain.network === 'localnet' ? 'start the program with ROLLUP=embedded, or ' : '';
  const advice =
    able.length > 0
      ? `${own}pass cluster ${able.join(' or ')}`
      : `${own}configure one with EPHEMERAL_RPC_URL (mainnet) or EPHEMERAL_DEVNET_RPC_URL (devnet)`;
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} needs a rollup, and cluster ${chain.cluster} has none; ${advice}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}
