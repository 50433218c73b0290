import { expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { openOperatedNode } from './testing/operated-node.ts';

it('surfnet_pauseClock stops the slots and returns the current one', async () => {
  const node = await openOperatedNode({ genesis: bareGenesis() });
  node.clock.pass(4_000);
  expect(await node.call('surfnet_pauseClock')).toMatchObject({
    result: { absoluteSlot: 522, blockHeight: 522, epoch: 0, transactionCount: 0 },
  });
  node.clock.pass(4_000);
  expect(await node.call('getSlot', { commitment: 'processed' })).toMatchObject({ result: 522 });
});
