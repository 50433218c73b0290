import { describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { requireRollup } from './cluster-support.ts';

describe('requireRollup', () => {
  const bare = new MapChain();
  const full = Object.assign(new MapChain(), { cluster: 'devnet', rollup: new MapRollup() });

  it('is the rollup of a cluster that has one', () => {
    expect(requireRollup('A transfer', full, new Clusters([bare, full]))).toBe(full.rollup);
  });

  it('names the clusters that have one, or how to get one', () => {
    expect(() => requireRollup('A transfer', bare, new Clusters([bare, full]))).toThrow(
      'A transfer needs a rollup, and cluster localnet has none; start the program with ROLLUP=embedded, or pass cluster devnet',
    );
    expect(() => requireRollup('A transfer', bare, new Clusters([bare]))).toThrow('EPHEMERAL_RPC_URL');
  });
});
