import { describe, expect, it } from 'vitest';
import { readZstd } from '../../testing/read-zstd.ts';
import { accountOf, tokenAccount } from '../../../ledger/testing/make-account.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import { SYSTEM_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { addressOf } from '../../../solana/address.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

const ADDRESS = addressOf(new Uint8Array(32).fill(5));
const EMPTY = accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 5n);

const notification = (slot: number, id: number, account: string): string =>
  `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":{"context":{"slot":${slot}},` +
  `"value":${account}},"subscription":${id}}}`;

describe('accountSubscribe', () => {
  it('reports an account the operator sets in Agave’s format', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const id = await client.subscribe('accountSubscribe', ADDRESS, { encoding: 'base64' });
    await node.ledger.setAccounts([[ADDRESS, EMPTY]]);
    const { slot } = node.ledger.head();
    expect(await client.next()).toBe(
      notification(
        slot,
        id,
        '{"lamports":5,"data":["","base64"],"owner":"11111111111111111111111111111111","executable":false,' +
          '"rentEpoch":18446744073709551615,"space":0}',
      ),
    );
  });

  it('reports a deleted account as an empty one of the system program', async () => {
    const node = await startPubSubNode();
    await node.ledger.setAccounts([[ADDRESS, accountOf(USDC_MINT, new Uint8Array(3))]]);
    const client = await node.connect();
    const id = await client.subscribe('accountSubscribe', ADDRESS);
    await node.ledger.setAccounts([[ADDRESS, { ...EMPTY, lamports: 0n }]]);
    expect(await client.next()).toBe(
      notification(
        node.ledger.head().slot,
        id,
        '{"lamports":0,"data":"","owner":"11111111111111111111111111111111","executable":false,"rentEpoch":0,"space":0}',
      ),
    );
  });

  it('reports balances a transaction changes, and nothing earlier', async () => {
    const node = await startPubSubNode();
    const wallet = await node.fundedWallet();
    const client = await node.connect();
    const id = await client.subscribe('accountSubscribe', wallet.address, { encoding: 'base64' });
    await client.expectSilence();
    await node.ledger.airdrop(wallet.address, 7n);
    expect(await client.notified()).toMatchObject({
      subscription: id,
      result: { context: { slot: node.ledger.head().slot }, value: { lamports: 10_000_000_007 } },
    });
    await client.expectSilence();
  });

  it('shows data in every encoding', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    for (const [encoding, data] of [
      ['binary', 'LZN'],
      ['base58', ['LZN', 'base58']],
      ['base64', [Buffer.alloc(3, 1).toString('base64'), 'base64']],
      ['base64+zstd', ['KLUv/QBYGQAAAQEB', 'base64+zstd']],
      ['jsonParsed', [Buffer.alloc(3, 1).toString('base64'), 'base64']],
    ] as const) {
      const id = await client.subscribe('accountSubscribe', ADDRESS, { encoding });
      await node.ledger.setAccounts([[ADDRESS, accountOf(USDC_MINT, new Uint8Array(3).fill(1))]]);
      expect(await client.notified()).toMatchObject({ result: { value: { data } } });
      await client.call('accountUnsubscribe', id);
    }
  });

  it('parses a token account, its members in the order of Agave', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('accountSubscribe', ADDRESS, { encoding: 'jsonParsed' });
    await node.ledger.setAccounts([[ADDRESS, tokenAccount({ mint: USDC_MINT, owner: ADDRESS }, 42n)]]);
    const { result } = await client.notified<{ value: { data: object } }>();
    expect(Object.keys(result.value.data)).toEqual(['program', 'parsed', 'space']);
    expect(result.value.data).toMatchObject({ parsed: { info: { tokenAmount: { uiAmount: 0.000042 } } } });
  });

  it.each([
    ['binary', 'error: data too large for bs58 encoding'],
    ['base58', ['error: data too large for bs58 encoding', 'base58']],
  ])('reports data that is too large for %s', async (encoding, data) => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('accountSubscribe', ADDRESS, { encoding });
    await node.ledger.setAccounts([[ADDRESS, accountOf(USDC_MINT, new Uint8Array(129))]]);
    expect(await client.notified()).toMatchObject({ result: { value: { data, space: 129 } } });
  });

  it('reports the clock once per slot, with the slot as context', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('accountSubscribe', CLOCK_SYSVAR, { encoding: 'base64+zstd' });
    const { slot } = node.ledger.head();
    for (const passed of [1, 2]) {
      node.passSlots(1);
      const { result } = await client.notified<{ context: object; value: { data: [string] } }>();
      expect(result.context).toEqual({ slot: slot + passed });
      const clock = readZstd(Buffer.from(result.value.data[0], 'base64'));
      expect(clock.readBigUInt64LE(0)).toBe(BigInt(slot + passed));
    }
    node.passSlots(3);
    expect(await client.notified()).toMatchObject({ result: { context: { slot: slot + 5 } } });
    await client.expectSilence();
  });

  it('needs no timer for accounts that do not change with the slots', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('accountSubscribe', ADDRESS);
    const heartbeatOnly = node.timer.size;
    const id = await client.subscribe('accountSubscribe', CLOCK_SYSVAR);
    expect(node.timer.size).toBe(heartbeatOnly + 1);
    await client.call('accountUnsubscribe', id);
    expect(node.timer.size).toBe(heartbeatOnly);
  });

  it('rejects invalid parameters with Agave’s texts', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [params, message] of [
      [['nonsense'], 'Invalid Request: Invalid pubkey provided'],
      [[], '`params` should have at least 1 argument(s)'],
      [[5], 'Invalid params: invalid type: integer `5`, expected a string.'],
      [
        [ADDRESS, { encoding: 'hex' }],
        'Invalid params: unknown variant `hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.',
      ],
      [[ADDRESS, null, null], 'Invalid parameters: Expected from 1 to 2 parameters.'],
    ] as const) {
      const answer = await client.call('accountSubscribe', ...params);
      expect(answer, message).toMatch(/^"error":\{"code":-32602,/);
      expect(JSON.parse(`{${answer}}`).error.message).toBe(message);
    }
  });
});
