import type { Chain } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';

/**
 * The chain of an operation that only layout B has.
 *
 * @param named the cluster of the request; the default one if absent.
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED; as {@link requireLayoutB}.
 */
export function resolveLayoutB(what: string, named: string | undefined, clusters: Clusters): Chain {
  const chain = clusters.resolve(named);
  requireLayoutB(what, chain, clusters);
  return chain;
}

/**
 * The refusal of what only layout B of the ephemeral SPL token program can do (shuttles, transfer queues,
 * stealth pools), on a cluster with layout A.
 *
 * @param what the operation or the part of one, as the subject of a sentence.
 * @param instead what can be done on the cluster itself, as an instruction; null when nothing can.
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER naming the clusters that have it.
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
      ? 'begin localnet with the programs of the networks (LOCALNET_PROGRAMS), or '
      : '';
  const mend =
    able.length > 0
      ? `pass cluster ${able.join(' or ')}`
      : 'configure mainnet (BASE_RPC_URL and EPHEMERAL_RPC_URL) or devnet (BASE_DEVNET_RPC_URL and EPHEMERAL_DEVNET_RPC_URL) to have it';
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} does not exist on cluster ${chain.cluster}, whose program has no shuttles and queues; ${instead === null ? '' : `${instead}, or `}${own}${mend}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}
