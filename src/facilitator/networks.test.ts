import { describe, expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import type { Network } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { chainOf, servedNetworks } from './networks.ts';

const chain = (cluster: string, network: Network): MapChain =>
  Object.assign(new MapChain(), { cluster, network });

const localnet = chain('localnet', 'localnet');
const mainnet = chain('mainnet', 'mainnet');
const privateMainnet = chain('mainnet-private', 'mainnet');
const devnet = chain('devnet', 'devnet');
const custom = chain('custom', 'custom');

/** Returns the clusters that serve mainnet and devnet, by both names of each. */
function served(first: MapChain, ...others: MapChain[]): readonly (string | undefined)[] {
  const networks = servedNetworks(new Clusters([first, ...others]));
  return [
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana-devnet',
  ].map((name) => chainOf(networks, name)?.cluster);
}

describe('servedNetworks', () => {
  it.each([
    ['localnet as mainnet', [localnet, mainnet, devnet], 'localnet', 'devnet'],
    ['the default cluster of mainnet', [privateMainnet, mainnet, devnet], 'mainnet-private', 'devnet'],
    ['the default cluster of devnet', [devnet, mainnet], 'mainnet', 'devnet'],
    ['the named clusters next to a custom one', [custom, mainnet, devnet], 'mainnet', 'devnet'],
    ['only configured clusters', [localnet], 'localnet', undefined],
    ['nothing on a custom cluster', [custom], undefined, undefined],
  ] as const)('serves %s', (_, [first, ...others], onMainnet, onDevnet) => {
    expect(served(first, ...others)).toEqual([onMainnet, onMainnet, onDevnet, onDevnet]);
  });

  it('serves no other network', () => {
    const networks = servedNetworks(new Clusters([localnet, devnet]));
    expect(chainOf(networks, 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z')).toBeUndefined();
    expect(chainOf(networks, 'eip155:8453')).toBeUndefined();
  });
});
