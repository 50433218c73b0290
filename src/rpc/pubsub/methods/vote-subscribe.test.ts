import { describe, expect, it } from 'vitest';
import { bareGenesis } from '../../../ledger/genesis/genesis.ts';
import { VOTE_PROGRAM } from '../../../programs/addresses.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

describe('voteSubscribe', () => {
  it('reports one vote per finished slot, by the vote account of this node', async () => {
    const node = await startPubSubNode({ hasVotes: true }, { genesis: bareGenesis() });
    const [votePubkey] = Array.from(node.ledger.programAccounts(VOTE_PROGRAM), ([address]) => address);
    const client = await node.connect();
    const id = await client.subscribe('voteSubscribe');
    const { slot } = node.ledger.head();
    node.passSlots(2);
    for (const voted of [slot, slot + 1]) {
      const block = node.ledger.block(voted);
      expect(await client.next()).toBe(
        `{"jsonrpc":"2.0","method":"voteNotification","params":{"result":{"votePubkey":"${votePubkey}","slots":[${voted}],"hash":"${block?.blockhash}","timestamp":${block?.blockTime},"signature":"${'1'.repeat(64)}"},"subscription":${id}}}`,
      );
    }
    await client.expectSilence();
    expect(await client.call('voteUnsubscribe', id)).toBe('"result":true');
    node.passSlots(1);
    await client.expectSilence();
  });

  it('reports nothing without a vote account of this node', async () => {
    const genesis = { accounts: () => [] };
    const node = await startPubSubNode({ hasVotes: true }, { genesis });
    const client = await node.connect();
    await client.subscribe('voteSubscribe');
    node.passSlots(1);
    await client.expectSilence();
  });

  it('and its unsubscribe method are unknown unless enabled', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const method of ['voteSubscribe', 'voteUnsubscribe']) {
      expect(await client.call(method)).toBe('"error":{"code":-32601,"message":"Method not found"}');
    }
  });
});
