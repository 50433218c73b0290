import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MapChain } from '../../test/ports/map-chain.ts';
import type { Layout } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { layoutANames } from './cluster-support.ts';
import { depositInput } from './deposit.ts';
import { createWithdraw, withdrawInput } from './withdraw.ts';

function clustersOf(
  first: readonly [string, Layout],
  ...rest: readonly (readonly [string, Layout])[]
): Clusters {
  const open = ([cluster, layout]: readonly [string, Layout]) =>
    Object.assign(new MapChain(), { cluster, layout });
  return new Clusters([open(first), ...rest.map(open)]);
}

describe('layoutANames', () => {
  it('names the clusters of layout A in words', () => {
    expect(layoutANames(clustersOf(['localnet', 'b'], ['devnet', 'b']))).toBeNull();
    expect(layoutANames(clustersOf(['localnet', 'a'], ['devnet', 'b']))).toBe('localnet');
    expect(layoutANames(clustersOf(['localnet', 'a'], ['devnet', 'a']))).toBe('localnet and devnet');
    expect(layoutANames(clustersOf(['a1', 'a'], ['b1', 'b'], ['a2', 'a'], ['a3', 'a']))).toBe(
      'a1, a2 and a3',
    );
  });
});

describe('what the tools say about layout A', () => {
  /** Every word about deposits and withdrawals on these clusters. */
  function wordsOn(clusters: Clusters): string {
    const { description } = createWithdraw({ clusters, random: { bytes: () => new Uint8Array() } });
    const schemas = [depositInput(clusters), withdrawInput(clusters)].map((schema) =>
      z.toJSONSchema(schema, { io: 'input' }),
    );
    return JSON.stringify([description, schemas]);
  }

  it('names localnet if it has layout A (bug: also with layout B)', () => {
    const words = wordsOn(clustersOf(['localnet', 'a'], ['devnet', 'b']));
    for (const part of [
      'On localnet every deposit is direct',
      'Default: on localnet true if the vault does not exist',
      'Without effect outside localnet when idempotent is false',
      'On localnet every withdrawal is directly from the vault',
      "On localnet the owner's ephemeral token account must be undelegated and settled first",
    ]) {
      expect(words).toContain(part);
    }
    expect(wordsOn(clustersOf(['localnet', 'b'])).replaceAll('"localnet"', '')).not.toMatch(
      /on localnet|outside localnet/i,
    );
  });
});
