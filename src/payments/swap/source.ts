import type { Chain } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SwapDesk } from './desk.ts';
import type { SwapUpstream } from './swap-upstream.ts';

/** A service that quotes and builds swaps. */
export interface SwapSources {
  /** The upstream for mainnet; null without one. */
  readonly upstream: SwapUpstream | null;
  /** The desk of the embedded ledger; null without one. */
  readonly desk: SwapDesk | null;
}

/** Whether swaps work on a cluster. */
export const hasSwaps = ({ upstream, desk }: SwapSources, { network }: Chain): boolean =>
  (network === 'localnet' && desk !== null) || (network === 'mainnet' && upstream !== null);

/** A cluster, and who swaps there. */
export type SwapPlace = { readonly chain: Chain } & (
  | { readonly desk: SwapDesk; readonly upstream: null }
  | { readonly desk: null; readonly upstream: SwapUpstream }
);

/**
 * Returns the cluster of a request, and who swaps there.
 *
 * @throws {ServiceError} CLUSTER_NOT_ALLOWED; UNSUPPORTED_ON_CLUSTER if there is none.
 */
export function resolveSwaps(
  named: string | undefined,
  clusters: Clusters,
  { upstream, desk }: SwapSources,
): SwapPlace {
  const chain = clusters.resolve(named);
  if (chain.network === 'localnet' && desk !== null) return { chain, desk, upstream: null };
  if (chain.network === 'mainnet' && upstream !== null) return { chain, desk: null, upstream };
  const able = clusters.names.filter((name) => hasSwaps({ upstream, desk }, clusters.resolve(name)));
  const advice =
    able.length > 0
      ? `pass cluster ${able.join(' or ')}`
      : 'set SWAP_UPSTREAM_URL to a Jupiter-compatible API for swaps on mainnet, or use the localnet of this program';
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `Swaps do not work on cluster ${chain.cluster}: ${advice}`,
    { field: 'cluster', cluster: chain.cluster, supported: able },
  );
}

/**
 * Rejects a private swap on a cluster that cannot pay out its output privately.
 *
 * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER.
 */
export function requirePrivateSwaps(
  { chain, desk }: SwapPlace,
  clusters: Clusters,
  sources: SwapSources,
): void {
  if (desk === null && chain.layout === 'b') return;
  const able = clusters.names.filter((name) => {
    const other = clusters.resolve(name);
    return other.network !== 'localnet' && other.layout === 'b' && hasSwaps(sources, other);
  });
  const why =
    desk === null ? 'program has no shuttles and queues' : 'desk pays wallets and has no private payout';
  const advice = able.length > 0 ? `, or pass cluster ${able.join(' or ')}` : '';
  throw new ServiceError(
    'UNSUPPORTED_ON_CLUSTER',
    `Private swaps do not work on cluster ${chain.cluster}, because its ${why}: swap publicly and send the output with spl.transfer${advice}`,
    { field: 'visibility', cluster: chain.cluster, supported: able },
  );
}
