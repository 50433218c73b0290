import { CAIP2 } from '../chain/caip2.ts';
import type { Chain, Network } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';

/** A Solana network as x402 names it. */
interface X402Network {
  /** Its CAIP-2 id, for version 2. */
  readonly caip2: string;
  /** Its name in version 1. */
  readonly name: string;
  /** The cluster that serves it unless the default cluster does. */
  readonly cluster: string;
  /** The networks of a default cluster that serves it. */
  readonly served: readonly Network[];
}

const NETWORKS: readonly X402Network[] = [
  {
    caip2: CAIP2.mainnet,
    name: 'solana',
    cluster: 'mainnet',
    served: ['mainnet', 'localnet'],
  },
  {
    caip2: CAIP2.devnet,
    name: 'solana-devnet',
    cluster: 'devnet',
    served: ['devnet'],
  },
];

/** A network that the facilitator serves. */
interface ServedNetwork extends Pick<X402Network, 'caip2' | 'name'> {
  readonly chain: Chain;
}

/** Lists the networks that the configured clusters serve. */
export function servedNetworks(clusters: Clusters): ServedNetwork[] {
  const first = clusters.resolve(undefined);
  return NETWORKS.flatMap(({ caip2, name, cluster, served }) => {
    if (served.includes(first.network)) return [{ caip2, name, chain: first }];
    return clusters.names.includes(cluster) ? [{ caip2, name, chain: clusters.resolve(cluster) }] : [];
  });
}

/** Finds the chain of a network by either name; undefined if no cluster serves it. */
export const chainOf = (networks: readonly ServedNetwork[], network: string): Chain | undefined =>
  networks.find(({ caip2, name }) => network === caip2 || network === name)?.chain;
