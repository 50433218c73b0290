import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MapChain } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { ANONYMOUS, type Operation, type OperationCaller } from '../payments/operation.ts';
import { systemRandom } from '../ports/random.ts';
import { TestWallets, withLogins } from './test-wallets.ts';

const wallets = new TestWallets(systemRandom);
const alice = wallets.create();
const bob = wallets.create();
wallets.keepToken(alice, 'of-alice');

/** The token an operation is run with for an input, where these clusters are configured. */
async function tokenFor(
  input: object,
  { caller = ANONYMOUS, names = ['localnet', 'devnet'] }: { caller?: OperationCaller; names?: string[] } = {},
): Promise<string | undefined> {
  let token: string | undefined;
  const operation: Operation = {
    name: 'read',
    title: '',
    description: '',
    input: z.object({}),
    output: z.object({}),
    effect: 'read',
    run: async (_, by) => {
      ({ token } = by);
      return { output: {}, sentences: [] };
    },
  };
  const [first, ...rest] = names.map((cluster) => Object.assign(new MapChain(), { cluster }));
  const clusters = new Clusters([first as MapChain, ...rest]);
  await withLogins(operation, wallets, clusters).run(input, caller);
  return token;
}

describe('withLogins', () => {
  it('uses the login of the wallet that an operation concerns', async () => {
    expect(await tokenFor({ address: alice })).toBe('of-alice');
    expect(await tokenFor({ from: alice, to: bob })).toBe('of-alice');
    expect(await tokenFor({ owner: alice, cluster: ' Localnet ' })).toBe('of-alice');
  });

  it('does not use the login of one wallet for another', async () => {
    expect(await tokenFor({ address: bob })).toBeUndefined();
    expect(await tokenFor({ from: bob, to: alice })).toBeUndefined();
  });

  it('sends a login to no other cluster', async () => {
    expect(await tokenFor({ address: alice, cluster: 'devnet' })).toBeUndefined();
    expect(await tokenFor({ address: alice }, { names: ['devnet', 'localnet'] })).toBeUndefined();
  });

  it('prefers the token of the caller', async () => {
    expect(await tokenFor({ address: alice }, { caller: { token: 'own' } })).toBe('own');
  });
});
