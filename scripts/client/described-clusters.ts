import type { Chain } from '../../src/chain/chain.ts';
import { Clusters } from '../../src/chain/clusters.ts';

/**
 * Clusters for the words of the schemas alone: those of the service, by layout. Nothing is read of them, and
 * whatever would be fails.
 */
export function describedClusters(): Clusters {
  // Where callers may name clusters by URL, no description says on which an operation works.
  const custom = { resolve: (url: string) => named(url, 'b') };
  return new Clusters([named('localnet', 'a'), named('mainnet', 'b'), named('devnet', 'b')], { custom });
}

const named = (cluster: string, layout: 'a' | 'b'): Chain =>
  ({ cluster, layout, network: cluster, rollup: {} }) as unknown as Chain;
