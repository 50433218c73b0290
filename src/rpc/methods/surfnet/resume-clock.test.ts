import { expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { openOperatedNode } from './testing/operated-node.ts';

it('surfnet_resumeClock lets slots advance from where they stopped', async () => {
  const node = await openOperatedNode({ genesis: bareGenesis() });
  await node.call('surfnet_pauseClock');
  node.clock.pass(4_000);
  expect(await node.call('surfnet_resumeClock')).toMatchObject({
    result: { absoluteSlot: 512, slotIndex: 512 },
  });
  node.clock.pass(400);
  expect(await node.call('getSlot', { commitment: 'processed' })).toMatchObject({ result: 513 });
});
