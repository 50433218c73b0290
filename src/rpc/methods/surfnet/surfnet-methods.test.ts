import { beforeAll, describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { addressFilledWith as at } from '../../testing/transactions.ts';
import { SURFNET_METHODS } from './surfnet-methods.ts';
import { openOperatedNode, type OperatedNode } from './testing/operated-node.ts';

/** Parameters that would do. */
const PARAMS: Record<string, readonly unknown[]> = {
  surfnet_cloneProgramAccount: [at(1), at(2)],
  surfnet_resetAccount: [at(1)],
  surfnet_setAccount: [at(1), { lamports: 1 }],
  surfnet_setProgramAuthority: [at(1)],
  surfnet_setTokenAccount: [at(1), at(2), {}],
  surfnet_timeTravel: [{ absoluteSlot: 5_000 }],
  surfnet_writeProgram: [at(1), '00', 0],
};

describe('the surfnet methods of a node without an operator', () => {
  let node: OperatedNode;
  beforeAll(async () => {
    node = await openOperatedNode({ genesis: bareGenesis() }, { hasOperator: false });
  });

  it.each(SURFNET_METHODS.map(({ name }) => name))('do not exist: %s', async (name) => {
    expect((await node.call(name, ...(PARAMS[name] ?? []))).error).toEqual({
      code: -32601,
      message: 'Method not found',
    });
    expect(node.ledger.head().slot).toBe(512);
  });
});
