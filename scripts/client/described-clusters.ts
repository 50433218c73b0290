import type { Chain } from '../../src/chain/chain.ts';
import { Clusters } from '../../src/chain/clusters.ts';

/** The service's clusters by layout, for descriptions of schemas only. Every read from them fails. */
export function describedClusters(): Clusters {
  // With custom clusters, no description lists the clusters that an operation supports.
  const custom = { resolve: (url: string) => named(url, 'b') };
  return new Clusters([named('localnet', 'a'), named('mainnet', 'b'), named('devnet', 'b')], { custom });
}

const named = (cluster: string, layout: 'a' | 'b'): Chain =>
  ({ cluster, layout, network: cluster, rollup: {} }) as unknown as Chain;
