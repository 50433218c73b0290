import { expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { openOperatedNode } from './testing/operated-node.ts';

it('surfnet_resetNetwork starts a new ledger', async () => {
  const node = await openOperatedNode({ genesis: bareGenesis() });
  const wallet = await node.fundedWallet();
  const before = node.ledger.genesisHash;
  expect(await node.call('surfnet_resetNetwork')).toMatchObject({
    result: { context: { slot: 512 }, value: null },
  });
  expect(await node.call('getBalance', wallet.address)).toMatchObject({ result: { value: 0 } });
  expect(await node.call('getTransactionCount')).toMatchObject({ result: 0 });
  expect(node.ledger.genesisHash).not.toBe(before);
});
