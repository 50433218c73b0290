import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { flag } from '../fields/fields.ts';

/** The argument by which clients of the hosted API ask for a login of test networks. */
export const mock = flag(
  'For localnet only, whose login is real: it changes nothing there. Default: false.',
).optional();

/**
 * Refuses a mock login where the tokens are worth something.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS; CLUSTER_NOT_ALLOWED.
 */
export function refuseMock(
  input: { readonly mock?: boolean | undefined; readonly cluster?: string | undefined },
  clusters: Clusters,
): void {
  if (input.mock !== true) return;
  const { network, cluster } = clusters.resolve(input.cluster);
  if (network === 'localnet') return;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `mock is for localnet, and ${cluster} is another network: leave it out, and sign the challenge with the wallet`,
    { field: 'mock', cluster },
  );
}
