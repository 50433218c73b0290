import { describe, expect, it } from 'vitest';
import type { Chain } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { clusterOf, orderClusters } from './order.ts';

const clusters = (...names: [string, ...string[]]): Clusters =>
  new Clusters(names.map((cluster) => ({ cluster }) as Chain) as unknown as [Chain]);

describe('the clusters of orders', () => {
  it.each([
    [['localnet'], ['localnet-private', 'localnet']],
    [['mainnet'], ['mainnet']],
    [
      ['mainnet', 'devnet', 'mainnet-private'],
      ['mainnet-private', 'mainnet', 'devnet'],
    ],
    [
      ['devnet-private', 'localnet'],
      ['devnet-private', 'localnet-private', 'localnet'],
    ],
  ] as [[string, ...string[]], string[]][])('of %s are %s', (names, expected) => {
    expect(orderClusters(clusters(...names))).toEqual(expected);
  });

  it('are configured clusters without the suffix of localnet (bug: mainnet-private was paid on mainnet)', () => {
    const names = ['localnet-private', 'localnet', 'custom-private', 'mainnet-private', 'mainnet'];
    expect(names.map((cluster) => clusterOf({ cluster }))).toEqual([
      'localnet',
      'localnet',
      'custom',
      'mainnet-private',
      'mainnet',
    ]);
  });
});
