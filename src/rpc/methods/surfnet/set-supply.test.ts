import { beforeEach, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

let node: OperatedNode;
beforeEach(async () => {
  node = await openOperatedNode({ genesis: bareGenesis() });
});

const supply = async (config?: unknown): Promise<unknown> => {
  const { result } = await node.call('getSupply', ...(config === undefined ? [] : [config]));
  return (result as { value: unknown }).value;
};

describe('surfnet_setSupply', () => {
  it('has getSupply say what is given, and count the rest', async () => {
    const counted = await supply();
    expect(await node.call('surfnet_setSupply', { non_circulating: 3 })).toMatchObject({
      result: { context: { slot: 512 }, value: null },
    });
    expect(await supply()).toEqual({ ...(counted as object), nonCirculating: 3 });
    await node.call('surfnet_setSupply', { total: '5', circulating: 2, non_circulating_accounts: [at(1)] });
    const said = { total: 5, circulating: 2, nonCirculating: 3, nonCirculatingAccounts: [at(1)] };
    expect(await supply()).toEqual(said);
    expect(await supply({ excludeNonCirculatingAccountsList: true })).toEqual({
      ...said,
      nonCirculatingAccounts: [],
    });
  });

  it('is forgotten when the network is reset', async () => {
    const counted = await supply();
    await node.call('surfnet_setSupply', { total: 5 });
    await node.call('surfnet_resetNetwork');
    expect(await supply()).toEqual(counted);
  });

  it.each([
    [{ non_circulating_accounts: ['me'] }, 'Invalid param: WrongSize'],
    [
      { total: -1 },
      'Invalid params: invalid value: integer `-1`, expected u64 as an integer or a decimal string.',
    ],
    [7, 'Invalid params: invalid type: integer `7`, expected struct SupplyUpdate.'],
  ])('refuses %j and changes nothing', async (update, message) => {
    const counted = await supply();
    expect((await node.call('surfnet_setSupply', update)).error).toEqual({ code: -32602, message });
    expect(await supply()).toEqual(counted);
  });
});
