import { describe, expect, it } from 'vitest';
import { accountOf, tokenAccount } from '../../../ledger/testing/make-account.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import {
  DELEGATION_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { addressOf } from '../../../solana/address.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

const [FIRST, SECOND] = [addressOf(new Uint8Array(32).fill(5)), addressOf(new Uint8Array(32).fill(6))];
const owned = (...bytes: number[]) => accountOf(DELEGATION_PROGRAM, Uint8Array.from(bytes), 9n);

describe('programSubscribe', () => {
  it('reports each account of the program in Agave’s format', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const id = await client.subscribe('programSubscribe', DELEGATION_PROGRAM, { encoding: 'base64' });
    await node.ledger.setAccounts([
      [FIRST, owned(1)],
      [SECOND, accountOf(SYSTEM_PROGRAM, new Uint8Array(0))],
      [SECOND, owned(2)],
    ]);
    const text = (pubkey: string, data: string): string =>
      `{"jsonrpc":"2.0","method":"programNotification","params":{"result":{"context":{"slot":${node.ledger.head().slot}},` +
      `"value":{"pubkey":"${pubkey}","account":{"lamports":9,"data":["${data}","base64"],` +
      `"owner":"${DELEGATION_PROGRAM}","executable":false,"rentEpoch":18446744073709551615,"space":1}}},"subscription":${id}}}`;
    expect(await client.next()).toBe(text(FIRST, 'AQ=='));
    expect(await client.next()).toBe(text(SECOND, 'Ag=='));
    await client.expectSilence();
  });

  it('reports only accounts that pass the filters', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    for (const [what, filters] of [
      ['a size', [{ dataSize: 2 }]],
      ['bytes in base58', [{ memcmp: { offset: 1, bytes: '8' } }]],
      ['bytes in base64', [{ memcmp: { offset: 1, bytes: 'Bw==', encoding: 'base64' } }]],
      ['bytes as numbers', [{ memcmp: { offset: 1, bytes: [7], encoding: 'bytes' } }]],
      ['two filters', [{ dataSize: 2 }, { memcmp: { offset: 0, bytes: '2' } }]],
    ] as const) {
      const config = { filters, encoding: 'base64' };
      const id = await client.subscribe('programSubscribe', DELEGATION_PROGRAM, config);
      await node.ledger.setAccounts([
        [FIRST, owned(1)],
        [SECOND, owned(1, 7)],
      ]);
      expect(await client.notified(), what).toMatchObject({ result: { value: { pubkey: SECOND } } });
      await client.expectSilence();
      await client.call('programUnsubscribe', id);
    }
  });

  it('has a context even if not requested', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const config = { encoding: 'base64', withContext: false };
    await client.subscribe('programSubscribe', DELEGATION_PROGRAM, config);
    await node.ledger.setAccounts([[FIRST, owned(1)]]);
    expect(await client.notified()).toMatchObject({ result: { context: {}, value: { pubkey: FIRST } } });
  });

  it('stops reporting an account whose owner changes or that is closed; the system program reports it', async () => {
    const node = await startPubSubNode();
    await node.ledger.setAccounts([
      [FIRST, owned(1)],
      [SECOND, owned(1)],
    ]);
    const client = await node.connect();
    await client.subscribe('programSubscribe', DELEGATION_PROGRAM);
    await client.subscribe('programSubscribe', SYSTEM_PROGRAM);
    await node.ledger.setAccounts([
      [FIRST, accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 4n)],
      [SECOND, { ...owned(), lamports: 0n }],
    ]);
    const value = (pubkey: string, lamports: number) => ({
      result: { value: { pubkey, account: { lamports, owner: SYSTEM_PROGRAM } } },
    });
    expect(await client.notified()).toMatchObject(value(FIRST, 4));
    expect(await client.notified()).toMatchObject(value(SECOND, 0));
    await client.expectSilence();
  });

  it('omits unparsable accounts of a token program if parsed ones are requested', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('programSubscribe', TOKEN_PROGRAM, { encoding: 'jsonParsed' });
    await node.ledger.setAccounts([
      [FIRST, accountOf(TOKEN_PROGRAM, new Uint8Array(5))],
      [SECOND, tokenAccount({ mint: USDC_MINT, owner: FIRST }, 1n)],
    ]);
    expect(await client.notified()).toMatchObject({
      result: { value: { pubkey: SECOND, account: { data: { program: 'spl-token' } } } },
    });
    await client.expectSilence();
  });

  it('reports the sysvars that change with the slot for their owner', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    const filters = [{ dataSize: 40 }];
    await client.subscribe('programSubscribe', SYSVAR_OWNER, { filters, encoding: 'base64' });
    node.passSlots(1);
    expect(await client.notified()).toMatchObject({ result: { value: { pubkey: CLOCK_SYSVAR } } });
    await client.expectSilence();
  });

  it('rejects invalid parameters with Agave’s texts', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [params, message] of [
      [[`${DELEGATION_PROGRAM}1`], 'Invalid Request: Invalid pubkey provided'],
      [
        ['bad', { filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) }],
        'Too many filters provided; max 4',
      ],
    ] as const) {
      const answer = await client.call('programSubscribe', ...params);
      expect(answer, message).toMatch(/^"error":\{"code":-32602,/);
      expect(JSON.parse(`{${answer}}`).error.message).toBe(message);
    }
  });
});
