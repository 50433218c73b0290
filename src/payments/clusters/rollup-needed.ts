import type { Chain, Rollup } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';

/**
 * The rollup of a cluster, for what cannot be done without one.
 *
 * @param what the thing to be done, as the subject of a sentence.
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER naming the clusters that have one.
 */
export function requireRollup(what: string, chain: Chain, clusters: Clusters): Rollup {
  if (chain.rollup !== null) return chain.rollup;
  const able = clusters.names.filter((name) => clusters.resolve(name).rollup !== null);
  const own = chain.network === 'localnet' ? 'start the program with ROLLUP=embedded, or ' : '';
  const mend =
    able.length > 0
      ? `${own}pass cluster ${able.join(' or ')}`
      : `${own}configure one with EPHEMERAL_RPC_URL (mainnet) or EPHEMERAL_DEVNET_RPC_URL (devnet)`;
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `${what} needs a rollup, and cluster ${chain.cluster} has none; ${mend}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}
