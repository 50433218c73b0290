import { describe, expect, it } from 'vitest';
import { PUBSUB_LIMITS } from '../limits.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

const text = (method: string, result: string, id: number): string =>
  `{"jsonrpc":"2.0","method":"${method}","params":{"result":${result},"subscription":${id}}}`;

describe('slotSubscribe, rootSubscribe, slotsUpdatesSubscribe', () => {
  it('report the end and the beginning of slots in Agave’s format and order', async () => {
    const node = await startPubSubNode();
    await node.fundedWallet();
    const client = await node.connect();
    const slotId = await client.subscribe('slotSubscribe');
    const rootId = await client.subscribe('rootSubscribe');
    const updatesId = await client.subscribe('slotsUpdatesSubscribe');
    const { slot } = node.ledger.head();
    node.passSlots(1);
    const timestamp = node.clock.now();
    const next = slot + 1;
    const stats =
      '{"numTransactionEntries":1,"numSuccessfulTransactions":1,"numFailedTransactions":0,"maxTransactionsPerEntry":1}';
    for (const expected of [
      text('rootNotification', `${slot}`, rootId),
      text(
        'slotsUpdatesNotification',
        `{"type":"frozen","slot":${slot},"timestamp":${timestamp},"stats":${stats}}`,
        updatesId,
      ),
      text(
        'slotsUpdatesNotification',
        `{"type":"optimisticConfirmation","slot":${slot},"timestamp":${timestamp}}`,
        updatesId,
      ),
      text('slotsUpdatesNotification', `{"type":"root","slot":${slot},"timestamp":${timestamp}}`, updatesId),
      text('slotNotification', `{"slot":${next},"parent":${slot},"root":${slot}}`, slotId),
      text(
        'slotsUpdatesNotification',
        `{"type":"createdBank","slot":${next},"parent":${slot},"timestamp":${timestamp}}`,
        updatesId,
      ),
    ]) {
      expect(await client.next()).toBe(expected);
    }
    await client.expectSilence();
  });

  it('report every slot passed since the last time once', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    const { slot } = node.ledger.head();
    node.passSlots(3);
    node.passSlots(2);
    for (let passed = 1; passed <= 5; passed++) {
      const result = { slot: slot + passed, parent: slot + passed - 1, root: slot + passed - 1 };
      expect((await client.notified()).result).toEqual(result);
    }
    await client.expectSilence();
  });

  it('report only the newest slots after a long delay of the node', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    const { slot } = node.ledger.head();
    node.passSlots(10_000);
    for (let left = PUBSUB_LIMITS.slotsAtOnceMax - 1; left >= 0; left--) {
      const last = slot + 10_000 - left;
      expect((await client.notified()).result).toEqual({ slot: last, parent: last - 1, root: last - 1 });
    }
    await client.expectSilence();
  });

  it('report time travel as one step', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    const { slot } = node.ledger.head();
    await node.ledger.travelTo({ slot: slot + 500 });
    node.timer.pass(node.ledger.slotMs);
    expect((await client.notified()).result).toEqual({ slot: slot + 500, parent: slot, root: slot });
    await client.expectSilence();
  });

  it('pause with the clock, and continue at the first slot of a reset ledger', async () => {
    const node = await startPubSubNode();
    node.clock.pass(5_000);
    const client = await node.connect();
    await client.subscribe('slotSubscribe');
    node.ledger.pauseClock();
    node.passSlots(4);
    await client.expectSilence();
    node.ledger.resumeClock();
    await node.ledger.resetLedger();
    node.timer.pass(node.ledger.slotMs);
    const { slot } = node.ledger.head();
    node.passSlots(1);
    expect((await client.notified()).result).toEqual({ slot: slot + 1, parent: slot, root: slot });
  });

  it('need a timer only while there are subscribers', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const heartbeatOnly = node.timer.size;
    const ids = [await client.subscribe('slotSubscribe'), await client.subscribe('rootSubscribe')];
    expect(node.timer.size).toBe(heartbeatOnly + 1);
    for (const id of ids) await client.call('slotUnsubscribe', id);
    expect(node.timer.size).toBe(heartbeatOnly);
  });

  it('accept no parameters', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const method of ['slotSubscribe', 'rootSubscribe', 'slotsUpdatesSubscribe']) {
      expect(await client.call(method, {})).toBe(
        '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Object {}])"}',
      );
    }
  });
});
