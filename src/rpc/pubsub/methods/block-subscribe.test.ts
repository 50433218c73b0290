import { describe, expect, it } from 'vitest';
import { buildV0 } from '../../../ledger/testing/build-v0.ts';
import { buildTransaction } from '../../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM } from '../../../programs/addresses.ts';
import { decodeBase58 } from '../../../solana/base58.ts';
import { startPubSubNode } from '../testing/pubsub-node.ts';

const memo = { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from('hello') };

interface Update {
  readonly context: { readonly slot: number };
  readonly value: { readonly slot: number; readonly block: unknown; readonly err: unknown };
}

describe('blockSubscribe', () => {
  it('reports a block at the end of its slot', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('blockSubscribe', 'all', { maxSupportedTransactionVersion: 0 });
    await node.fundedWallet();
    const { slot } = node.ledger.head();
    await client.expectSilence();
    node.passSlots(1);
    const { result } = await client.notified<Update>();
    const block = node.ledger.block(slot);
    expect(Object.keys(result.value)).toEqual(['slot', 'block', 'err']);
    expect(result).toMatchObject({
      context: { slot },
      value: {
        slot,
        err: null,
        block: {
          blockhash: block?.blockhash,
          previousBlockhash: block?.previousBlockhash,
          parentSlot: slot - 1,
          blockHeight: block?.blockHeight,
          transactions: [{ version: 'legacy', transaction: [expect.any(String), 'base64'] }],
        },
      },
    });
    expect(result.value.block).not.toHaveProperty('rewards');
  });

  it('reports empty blocks', async () => {
    const node = await startPubSubNode();
    const client = await node.connect();
    await client.subscribe('blockSubscribe', 'all');
    node.passSlots(1);
    expect((await client.notified<Update>()).result.value).toMatchObject({ block: { transactions: [] } });
  });

  it('reports only blocks and transactions that name the address', async () => {
    const node = await startPubSubNode();
    const [wallet, other] = [await node.fundedWallet(), await node.fundedWallet()];
    node.passSlots(1);
    const client = await node.connect();
    const filter = { mentionsAccountOrProgram: wallet.address };
    await client.subscribe('blockSubscribe', filter, { transactionDetails: 'signatures', showRewards: true });
    node.passSlots(2);
    await node.ledger.submit(buildTransaction(node.ledger, [other], [memo]));
    const { signature } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [memo]));
    node.passSlots(2);
    const { block } = (await client.notified<Update>()).result.value;
    expect(block).toMatchObject({ signatures: [signature], rewards: [] });
    expect(block).not.toHaveProperty('transactions');
    await client.expectSilence();
  });

  it('names the version to a client that does not support it', async () => {
    const node = await startPubSubNode();
    const wallet = await node.fundedWallet();
    const client = await node.connect();
    await client.subscribe('blockSubscribe', 'all');
    node.passSlots(1);
    await client.next();
    const transaction = buildV0({
      payer: wallet,
      keys: [MEMO_PROGRAM],
      readonlyCount: 1,
      blockhash: decodeBase58(node.ledger.head().blockhash),
      instructions: [{ program: 1, accounts: [], data: Buffer.from('v0') }],
      lookups: [],
    });
    expect((await node.ledger.submit(transaction)).landed).toBe(true);
    node.passSlots(1);
    expect((await client.notified<Update>()).result.value).toEqual({
      slot: node.ledger.head().slot - 1,
      block: null,
      err: { UnsupportedTransactionVersion: 0 },
    });
  });

  it('rejects invalid parameters with Agave’s texts', async () => {
    const client = await (await startPubSubNode()).connect();
    for (const [params, message] of [
      [['all', { commitment: 'processed' }], 'Method does not support commitment below `confirmed`'],
      [[{ mentionsAccountOrProgram: 'x' }], 'Invalid Request: Invalid mentions_account_or_program provided'],
      [['none'], 'Invalid params: unknown variant `none`, expected `all` or `mentionsAccountOrProgram`.'],
      [
        ['all', { maxSupportedTransactionVersion: 256 }],
        'Invalid params: invalid value: integer `256`, expected u8.',
      ],
    ] as const) {
      const answer = await client.call('blockSubscribe', ...params);
      expect(answer, message).toMatch(/^"error":\{"code":-32602,/);
      expect(JSON.parse(`{${answer}}`).error.message).toBe(message);
    }
  });
});
