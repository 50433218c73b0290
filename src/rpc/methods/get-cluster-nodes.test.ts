import { describe, expect, it } from 'vitest';
import { shredVersion } from '../cluster/node-version.ts';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { getClusterNodes } from './cluster-methods.ts';

describe('getClusterNodes', () => {
  it('returns only this node, without unknown addresses', async () => {
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
          shredVersion: shredVersion(ledger.genesisHash),
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

  it('returns the addresses of the node', async () => {
    const addresses = { rpc: '127.0.0.1:8899', pubsub: '[::1]:8900' };
    const node = { ledger: new FixedLedger(), version: '4.2.1', featureSet: 7, addresses };
    expect(await getClusterNodes.call(node, undefined)).toMatchObject([addresses]);
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getClusterNodes', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
