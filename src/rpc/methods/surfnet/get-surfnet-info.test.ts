import { expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { openOperatedNode } from './testing/operated-node.ts';

it('surfnet_getSurfnetInfo answers as Surfpool does where no runbook was run', async () => {
  const node = await openOperatedNode({ genesis: bareGenesis() });
  expect(await node.call('surfnet_getSurfnetInfo')).toMatchObject({
    result: { context: { slot: 512 }, value: { runbookExecutions: [] } },
  });
});
