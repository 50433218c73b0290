import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getClusterNodes', () => {
  it('answers this node alone, without addresses', async () => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'getClusterNodes')).toEqual({
      result: [
        {
          clientId: null,
          featureSet: 7,
          gossip: null,
          pubkey: ledger.identity,
          pubsub: null,
          rpc: null,
          serveRepair: null,
          shredVersion: null,
          tpu: null,
          tpuForwards: null,
          tpuForwardsQuic: null,
          tpuQuic: null,
          tpuVote: null,
          tvu: null,
          version: '4.2.1',
        },
      ],
    });
  });

  it('takes no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getClusterNodes', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
