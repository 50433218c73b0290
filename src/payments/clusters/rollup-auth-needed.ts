import type { RollupAuth } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { requireRollup } from './rollup-needed.ts';

/**
 * The login service of a cluster's rollup.
 *
 * @param what the thing to be done, as the subject of a sentence.
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER without a rollup, AUTH_UNAVAILABLE
 *   without a login.
 */
export function requireAuth(what: string, name: string | undefined, clusters: Clusters): RollupAuth {
  const chain = clusters.resolve(name);
  const { auth } = requireRollup(what, chain, clusters);
  if (auth !== null) return auth;
  const able = clusters.names.filter((other) => (clusters.resolve(other).rollup?.auth ?? null) !== null);
  const mend = able.length === 0 ? 'no configured cluster has one' : `pass cluster ${able.join(' or ')}`;
  throw new ServiceError(
    'AUTH_UNAVAILABLE',
    `The rollup of cluster ${chain.cluster} has no login, since everybody may read it; ${mend}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}
