import { describe, expect, it } from 'vitest';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

const memo = { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from('hello') };

describe('logsSubscribe', () => {
  it.each(['all', 'allWithVotes'])('reports the logs of every transaction, for %s', async (filter) => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const id = await client.subscribe('logsSubscribe', filter);
    const wallet = await node.fundedWallet();
    const { slot } = node.ledger.head();
    expect(await client.next()).toMatch(
      new RegExp(
        `^{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":${slot}},` +
          `"value":{"signature":"\\w+","err":null,"logs":\\["Program ${SYSTEM_PROGRAM} invoke \\[1\\]",("[^"]+",?)+\\]}},` +
          `"subscription":${id}}}$`,
      ),
    );
    const { signature } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [memo]));
    expect(await client.notified()).toMatchObject({ result: { value: { signature } } });
  });

  it.each(['program', 'wallet'])(
    'reports only transactions that name the address of a %s',
    async (mentioned) => {
      const node = await startPubSubNode();
      const [wallet, other] = [await node.fundedWallet(), await node.fundedWallet()];
      const client = await node.connect();
      await client.subscribe('logsSubscribe', {
        mentions: [mentioned === 'wallet' ? wallet.address : MEMO_PROGRAM],
      });
      const nothing = { ...memo, programId: COMPUTE_BUDGET_PROGRAM, data: Uint8Array.of(2, 0, 0, 1, 0) };
      await node.ledger.submit(buildTransaction(node.ledger, [other], [nothing]));
      const { signature } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [memo]));
      const { result } = await client.notified<{ value: { signature: string; logs: string[] } }>();
      expect(result.value.signature).toBe(signature);
      expect(result.value.logs.join()).toContain('hello');
      await client.expectSilence();
    },
  );

  it('reports failed transactions with their error', async () => {
    const node = await startPubSubNode();
    const wallet = await node.fundedWallet();
    const client = await node.connect();
    await client.subscribe('logsSubscribe', { mentions: [wallet.address] });
    const bad = { programId: MEMO_PROGRAM, accounts: [], data: Uint8Array.of(0xff) };
    await node.ledger.submit(buildTransaction(node.ledger, [wallet], [bad]));
    expect(await client.notified()).toMatchObject({
      result: { value: { err: { InstructionError: [0, expect.anything()] } } },
    });
  });

  it('rejects invalid parameters with Agave’s texts', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [params, message] of [
      [[{ mentions: [] }], 'Invalid Request: Only 1 address supported'],
      [[{ mentions: [MEMO_PROGRAM, MEMO_PROGRAM] }], 'Invalid Request: Only 1 address supported'],
      [[{ mentions: ['nobody'] }], 'Invalid Request: Invalid mentions provided'],
      [
        ['some'],
        'Invalid params: unknown variant `some`, expected one of `all`, `allWithVotes`, `mentions`.',
      ],
      [['mentions'], 'Invalid params: invalid type: unit variant, expected newtype variant.'],
      [[{}], 'Invalid params: invalid value: map, expected map with a single key.'],
      [[], '`params` should have at least 1 argument(s)'],
      [['all', 5], 'Invalid params: invalid type: integer `5`, expected struct RpcTransactionLogsConfig.'],
    ] as const) {
      const answer = await client.call('logsSubscribe', ...params);
      expect(answer, message).toMatch(/^"error":\{"code":-32602,/);
      expect(JSON.parse(`{${answer}}`).error.message).toBe(message);
    }
  });
});
