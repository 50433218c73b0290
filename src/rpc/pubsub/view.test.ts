import { describe, expect, it } from 'vitest';
import { accountOf } from '../../ledger/testing/make-account.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import type { Logger } from '../../ports/logger.ts';
import { DELEGATION_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import type { View } from './feeds.ts';
import { PUBSUB_LIMITS } from './limits.ts';
import { PubSubClient } from './testing/pubsub-client.ts';
import { type PubSubNode, startPubSubNode } from './testing/pubsub-node.ts';

const [SECRET, PUBLIC] = [addressOf(new Uint8Array(32).fill(5)), addressOf(new Uint8Array(32).fill(6))];
const account = accountOf(DELEGATION_PROGRAM, new Uint8Array(1));

/** Callers with the token read everything. Others see no transactions and not the secret account. */
const view: View = (event, token) => {
  if (token === 'let-me-in') return event;
  if (event.kind === 'transaction') return null;
  const changes = event.changes.filter(({ address }) => address !== SECRET);
  return changes.length === event.changes.length ? event : { ...event, changes };
};

async function connectAs(node: PubSubNode, token: string): Promise<PubSubClient> {
  const headers = { authorization: `Bearer ${token}` };
  return await new PubSubClient(node.socketUrl, { headers }).opened();
}

describe('a view', () => {
  it('hides accounts from those who must not read them', async () => {
    const node = await startPubSubNode({ view });
    const [insider, outsider] = [await connectAs(node, 'let-me-in'), await connectAs(node, 'wrong')];
    for (const client of [insider, outsider]) {
      await client.subscribe('accountSubscribe', SECRET, { encoding: 'base64' });
      await client.subscribe('programSubscribe', DELEGATION_PROGRAM, { encoding: 'base64' });
    }
    await node.ledger.setAccounts([
      [SECRET, account],
      [PUBLIC, account],
    ]);
    const pubkeys = async (client: PubSubClient) =>
      (await client.notified<{ value: { pubkey?: string } }>()).result.value.pubkey;
    expect(await pubkeys(insider)).toBeUndefined();
    expect(await pubkeys(insider)).toBe(SECRET);
    expect(await pubkeys(insider)).toBe(PUBLIC);
    expect(await pubkeys(outsider)).toBe(PUBLIC);
    await outsider.expectSilence();
  });

  it('hides transactions from logs and blocks, but not their outcome from clients that know the signature', async () => {
    const node = await startPubSubNode({ view });
    const wallet = await node.fundedWallet();
    node.passSlots(1);
    const outsider = await node.connect();
    await outsider.subscribe('logsSubscribe', 'all');
    const blockId = await outsider.subscribe('blockSubscribe', 'all', { transactionDetails: 'signatures' });
    const memo = { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from('hello') };
    const { signature } = await node.ledger.submit(buildTransaction(node.ledger, [wallet], [memo]));
    await outsider.subscribe('signatureSubscribe', signature);
    const insider = await connectAs(node, 'let-me-in');
    await insider.subscribe('signatureSubscribe', signature);
    node.timer.pass(PUBSUB_LIMITS.pastDelayMs);
    for (const client of [outsider, insider]) {
      expect((await client.notified<{ value: object }>()).result.value).toEqual({ err: null });
    }
    await outsider.expectSilence();
    await insider.subscribe('blockSubscribe', 'all', { transactionDetails: 'signatures' });
    node.passSlots(1);
    const block = { value: { block: { signatures: [signature] } } };
    expect(await insider.notified()).toMatchObject({ subscription: blockId, result: block });
    expect(await outsider.notified()).toMatchObject({ result: { value: { block: { signatures: [] } } } });
    await outsider.expectSilence();
  });

  it('is evaluated once per token, and with null without one', async () => {
    const asked: (string | null)[] = [];
    const node = await startPubSubNode({
      view(event, token) {
        asked.push(token);
        return event;
      },
    });
    const urls = ['/', '/?token=', '/x?a=b&token=a%20b', '/?token=a%20b'];
    const clients = await Promise.all(urls.map((url) => new PubSubClient(node.socketUrl + url).opened()));
    for (const client of clients) await client.subscribe('accountSubscribe', PUBLIC);
    await node.ledger.setAccounts([[PUBLIC, account]]);
    for (const client of clients) await client.notified();
    expect(asked).toEqual([null, 'a b']);
  });

  it('that fails affects only that notification, and the log contains no token', async () => {
    const lines: unknown[] = [];
    const log = (fields: object, message: string): void => {
      lines.push({ ...fields, message });
    };
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    const node = await startPubSubNode({
      logger,
      view(event, token) {
        if (event.changes.length > 1) throw new Error(`no view for ${token}`);
        return event;
      },
    });
    const client = await connectAs(node, 'my-secret-token');
    await client.subscribe('programSubscribe', SYSTEM_PROGRAM, { encoding: 'base64' });
    const entry = [PUBLIC, accountOf(SYSTEM_PROGRAM, new Uint8Array(0))] as const;
    await node.ledger.setAccounts([entry, entry]);
    await client.expectSilence();
    await node.ledger.setAccounts([entry]);
    expect(await client.notified()).toMatchObject({ result: { value: { pubkey: PUBLIC } } });
    expect(lines).toMatchObject([{ error: 'Error', message: 'pubsub notification failed' }]);
    expect(JSON.stringify(lines)).not.toContain('my-secret-token');
  });
});
