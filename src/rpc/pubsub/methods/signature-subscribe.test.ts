import { describe, expect, it } from 'vitest';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM } from '../../../programs/addresses.ts';
import { encodeBase58 } from '../../../solana/base58.ts';
import { PUBSUB_LIMITS } from '../limits.ts';
import { startPubSubNode, type PubSubNode } from '../testing/pubsub-node.ts';

async function signMemo(node: PubSubNode, data: Uint8Array = Buffer.from('hello')) {
  const wallet = await node.fundedWallet();
  const memo = { programId: MEMO_PROGRAM, accounts: [], data };
  const transaction = buildTransaction(node.ledger, [wallet], [memo]);
  return { transaction, signature: encodeBase58(transaction.signatures[0] as Uint8Array) };
}

const notification = (slot: number, value: string, id: number): string =>
  `{"jsonrpc":"2.0","method":"signatureNotification","params":{"result":{"context":{"slot":${slot}},` +
  `"value":${value}},"subscription":${id}}}`;

describe('signatureSubscribe', () => {
  it('reports once when the transaction lands, then ends', async () => {
    const node = await startPubSubNode();
    const { transaction, signature } = await signMemo(node);
    const client = await node.connect();
    const id = await client.subscribe('signatureSubscribe', signature);
    await client.expectSilence();
    await node.ledger.submit(transaction);
    expect(await client.next()).toBe(notification(node.ledger.head().slot, '{"err":null}', id));
    expect(await client.call('signatureUnsubscribe', id)).toBe(
      '"error":{"code":-32602,"message":"Invalid subscription id."}',
    );
    expect(node.pubsub.subscriptions).toBe(0);
  });

  it('reports an earlier transaction after the client has had time to read the answer', async () => {
    const node = await startPubSubNode();
    const { transaction, signature } = await signMemo(node);
    await node.ledger.submit(transaction);
    const { slot } = node.ledger.head();
    node.passSlots(3);
    const client = await node.connect();
    const id = await client.subscribe('signatureSubscribe', signature, { commitment: 'processed' });
    await client.expectSilence();
    node.timer.pass(PUBSUB_LIMITS.pastDelayMs);
    expect(await client.next()).toBe(notification(slot, '{"err":null}', id));
    await client.expectSilence();
    expect(node.pubsub.subscriptions).toBe(0);
  });

  it('reports nothing if it ended before', async () => {
    const node = await startPubSubNode();
    const { transaction, signature } = await signMemo(node);
    await node.ledger.submit(transaction);
    const client = await node.connect();
    const id = await client.subscribe('signatureSubscribe', signature);
    await client.call('signatureUnsubscribe', id);
    node.timer.pass(PUBSUB_LIMITS.pastDelayMs);
    await client.expectSilence();
  });

  it('first reports that the transaction was received, if requested', async () => {
    const node = await startPubSubNode();
    const { transaction, signature } = await signMemo(node);
    const client = await node.connect();
    const id = await client.subscribe('signatureSubscribe', signature, { enableReceivedNotification: true });
    await node.ledger.submit(transaction);
    const { slot } = node.ledger.head();
    expect(await client.next()).toBe(notification(slot, '"receivedSignature"', id));
    expect(await client.next()).toBe(notification(slot, '{"err":null}', id));
    await client.expectSilence();
  });

  it('reports the error of a failed transaction', async () => {
    const node = await startPubSubNode();
    const { transaction, signature } = await signMemo(node, Uint8Array.of(0xff));
    const client = await node.connect();
    await client.subscribe('signatureSubscribe', signature);
    const { err } = await node.ledger.submit(transaction);
    expect(err).not.toBeNull();
    expect(await client.notified()).toMatchObject({ result: { value: { err } } });
  });

  it('rejects invalid parameters with Agave’s texts', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [params, message] of [
      [['short'], 'Invalid Request: Invalid signature provided'],
      [[encodeBase58(new Uint8Array(63).fill(1))], 'Invalid Request: Invalid signature provided'],
      [
        [encodeBase58(new Uint8Array(64).fill(1)), { enableReceivedNotification: 1 }],
        'Invalid params: invalid type: integer `1`, expected a boolean.',
      ],
    ] as const) {
      const answer = await client.call('signatureSubscribe', ...params);
      expect(answer, message).toMatch(/^"error":\{"code":-32602,/);
      expect(JSON.parse(`{${answer}}`).error.message).toBe(message);
    }
  });
});
