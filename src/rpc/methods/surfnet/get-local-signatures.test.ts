import { describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM } from '../../../programs/addresses.ts';
import { openOperatedNode } from './testing/operated-node.ts';

describe('surfnet_getLocalSignatures', () => {
  it('tells what landed last with its logs, the newest first, failed ones included', async () => {
    const node = await openOperatedNode({ genesis: bareGenesis() });
    const wallet = await node.fundedWallet();
    const memo = (data: Uint8Array) => ({ programId: MEMO_PROGRAM, accounts: [], data });
    const sent: string[] = [];
    for (const data of [Buffer.from('one'), Buffer.from('two'), Uint8Array.of(255)]) {
      node.clock.pass(4_000);
      sent.push((await node.ledger.submit(buildTransaction(node.ledger, [wallet], [memo(data)]))).signature);
    }
    const read = async (...params: readonly unknown[]): Promise<{ signature: string }[]> => {
      const { result } = await node.call('surfnet_getLocalSignatures', ...params);
      return (result as { value: { signature: string }[] }).value;
    };
    expect(await read(2)).toEqual([
      { signature: sent[2], err: { InstructionError: [0, expect.anything()] }, logs: expect.any(Array) },
      {
        signature: sent[1],
        err: null,
        logs: expect.arrayContaining([expect.stringContaining('two')]),
      },
    ]);
    expect((await read()).slice(0, 3).map(({ signature }) => signature)).toEqual(sent.toReversed());
    expect(await read()).toHaveLength(4);
    expect(await read(0)).toEqual([]);
  });

  it('refuses to tell of more than 1,000', async () => {
    const node = await openOperatedNode({ genesis: bareGenesis() });
    expect((await node.call('surfnet_getLocalSignatures', 1_001)).error).toEqual({
      code: -32602,
      message: 'Invalid limit; max 1000',
    });
  });
});
