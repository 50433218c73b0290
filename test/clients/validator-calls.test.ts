import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair, signTransaction } from '../../src/ledger/keypair.ts';
import { accountOf } from '../../src/ledger/testing/make-account.ts';
import { DELEGATION_PROGRAM, LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { CLOCK_SYSVAR } from '../../src/programs/sysvars.ts';
import { PubSubClient } from '../../src/rpc/pubsub/testing/pubsub-client.ts';
import { readZstd } from '../../src/rpc/testing/read-zstd.ts';
import { sendRequest } from '../../src/rpc/testing/send-request.ts';
import { addressFilledWith } from '../../src/rpc/testing/transactions.ts';
import { decodeBase58, encodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { type ClientNode, startClientNode } from './client-node.ts';

// What the ephemeral validator of MagicBlock, 0.8.3 and 0.14.10, asks its base chain for, parameters as it
// sends them.

/** How it asks for every account. */
const ZSTD = { encoding: 'base64+zstd', commitment: 'confirmed' } as const;

const wallet = new Keypair(new Uint8Array(32).fill(42));

interface Account {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly lamports: number;
}
interface InContext<T> {
  readonly context: { readonly slot: number };
  readonly value: T;
}

let node: ClientNode;

beforeAll(async () => {
  node = await startClientNode();
  await node.ledger.airdrop(wallet.address, 10_000_000_000n);
});

afterAll(() => node.close());

/** The text of the answer to a call over HTTP, whose parameters are given as text. */
async function callText(method: string, params: string): Promise<string> {
  const body = `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`;
  return (await sendRequest(node.url, { body })).body;
}

async function ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const answer = JSON.parse(await callText(method, JSON.stringify(params)));
  if (!('result' in answer)) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer.result;
}

/** The bytes of an account, decoded as the answer says. */
function bytesOf({ data: [text, encoding] }: Account): Buffer {
  expect(encoding).toBe('base64+zstd');
  return readZstd(Buffer.from(text, 'base64'));
}

/** A signed transaction on the newest blockhash, in base64, and its signature. */
async function signed(...instructions: readonly Instruction[]) {
  const { value } = await ask<InContext<{ blockhash: string; lastValidBlockHeight: number }>>(
    'getLatestBlockhash',
    { commitment: 'confirmed' },
  );
  const blockhash = decodeBase58(value.blockhash);
  const message = compileLegacyMessage({ feePayer: wallet.address, blockhash, instructions });
  const { wire, signatures } = signTransaction(message, [wallet]);
  const signature = encodeBase58(signatures[0] as Uint8Array);
  return { text: Buffer.from(wire).toString('base64'), signature, blockhash: value.blockhash };
}

const transfer = (lamports: bigint): Instruction =>
  transferLamports(wallet.address, addressFilledWith(9), lamports);

describe('calls of the ephemeral validator to its base chain:', () => {
  it('the balance of its identity, without which it exits', async () => {
    const { value } = await ask<InContext<number>>('getBalance', LOCALNET_VALIDATOR, {
      commitment: 'confirmed',
    });
    expect(value).toBeGreaterThanOrEqual(5_000_000_000);
  });

  it('accounts as of a slot, in base64+zstd, one value for each key and u64s exact to the digit', async () => {
    const slot = await ask<number>('getSlot', { commitment: 'confirmed' });
    const config = { ...ZSTD, dataSlice: null, minContextSlot: slot };
    const keys = [CLOCK_SYSVAR, addressFilledWith(77), DELEGATION_PROGRAM];
    const many = await ask<InContext<(Account | null)[]>>('getMultipleAccounts', keys, config);
    expect(many.context.slot).toBeGreaterThanOrEqual(slot);
    expect(many.value.map((account) => account?.owner ?? null)).toEqual([
      'Sysvar1111111111111111111111111111111111111',
      null,
      'BPFLoaderUpgradeab1e11111111111111111111111',
    ]);
    const clock = await ask<InContext<Account>>('getAccountInfo', CLOCK_SYSVAR, {
      ...ZSTD,
      minContextSlot: 0,
    });
    expect(Number(bytesOf(clock.value).readBigUInt64LE(0))).toBe(clock.context.slot);
    expect(await callText('getAccountInfo', JSON.stringify([CLOCK_SYSVAR, config]))).toContain(
      '"rentEpoch":18446744073709551615',
    );
    expect(
      await callText('getMultipleAccounts', `[["${CLOCK_SYSVAR}"],{"minContextSlot":99999999}]`),
    ).toContain(
      '"error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":',
    );
  });

  it('a slice of an account', async () => {
    const { value } = await ask<InContext<Account>>('getAccountInfo', CLOCK_SYSVAR, {
      encoding: 'base64',
      commitment: 'confirmed',
      dataSlice: { offset: 0, length: 8 },
      minContextSlot: null,
    });
    expect(value.data[1]).toBe('base64');
    expect(Buffer.from(value.data[0], 'base64')).toHaveLength(8);
  });

  it('delegated accounts of one kind, filtered by a number array', async () => {
    const tag = [0xd1, 0x02, 0, 0, 0, 0, 0, 0];
    const [fits, other] = [Buffer.alloc(48), Buffer.alloc(48)];
    fits.set(tag);
    const address = addressFilledWith(31);
    await node.ledger.setAccounts([
      [address, accountOf(DELEGATION_PROGRAM, fits)],
      [addressFilledWith(32), accountOf(DELEGATION_PROGRAM, other)],
      [addressFilledWith(33), accountOf(DELEGATION_PROGRAM, Buffer.concat([fits, other]))],
    ]);
    const found = await ask<{ pubkey: string; account: Account }[]>(
      'getProgramAccounts',
      DELEGATION_PROGRAM,
      {
        filters: [{ dataSize: 48 }, { memcmp: { offset: 0, encoding: 'bytes', bytes: tag } }],
        encoding: 'base64+zstd',
        dataSlice: null,
        minContextSlot: null,
        withContext: null,
        sortResults: null,
      },
    );
    expect(found.map(({ pubkey }) => pubkey)).toEqual([address]);
    expect(bytesOf(found[0]?.account as Account)).toEqual(fits);
  });

  it('a commit is accepted without preflight, found by its status and read back as JSON', async () => {
    const { text, signature, blockhash } = await signed(transfer(1_000_000n), addMemo('commit'));
    expect(
      (await ask<InContext<boolean>>('isBlockhashValid', blockhash, { commitment: 'processed' })).value,
    ).toBe(true);
    expect(
      await ask('sendTransaction', text, {
        skipPreflight: true,
        preflightCommitment: 'finalized',
        encoding: 'base64',
        maxRetries: null,
        minContextSlot: null,
      }),
    ).toBe(signature);
    const { value } = await ask<InContext<unknown[]>>('getSignatureStatuses', [signature]);
    expect(value).toEqual([
      {
        slot: expect.any(Number),
        confirmations: null,
        err: null,
        status: { Ok: null },
        confirmationStatus: 'finalized',
      },
    ]);
    expect(
      await ask('getTransaction', signature, {
        encoding: null,
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      }),
    ).toMatchObject({
      slot: expect.any(Number),
      version: 'legacy',
      transaction: { signatures: [signature], message: { accountKeys: expect.any(Array) } },
      meta: { err: null, computeUnitsConsumed: expect.any(Number), logMessages: expect.any(Array) },
    });
  });

  it('a subscription to its signature reports a transaction sent with preflight', async () => {
    const { text, signature } = await signed(transfer(2_000_000n));
    const client = await new PubSubClient(node.socketUrl).opened();
    const config = { commitment: 'confirmed', enableReceivedNotification: false };
    const subscription = await client.subscribe('signatureSubscribe', signature, config);
    expect(
      await ask('sendTransaction', text, {
        skipPreflight: false,
        preflightCommitment: 'confirmed',
        encoding: 'base64',
        maxRetries: null,
        minContextSlot: null,
      }),
    ).toBe(signature);
    expect(await client.notified()).toEqual({
      method: 'signatureNotification',
      result: { context: { slot: expect.any(Number) }, value: { err: null } },
      subscription,
    });
    client.socket.close();
  });

  it('a subscription to the delegation program', async () => {
    const client = await new PubSubClient(node.socketUrl).opened();
    const subscription = await client.subscribe('programSubscribe', DELEGATION_PROGRAM, ZSTD);
    const data = Buffer.from('delegated');
    await node.ledger.setAccounts([[addressFilledWith(41), accountOf(DELEGATION_PROGRAM, data)]]);
    const { method, result, ...rest } =
      await client.notified<InContext<{ pubkey: string; account: Account }>>();
    expect([method, rest.subscription, result.value.pubkey]).toEqual([
      'programNotification',
      subscription,
      addressFilledWith(41),
    ]);
    expect(bytesOf(result.value.account)).toEqual(data);
    client.socket.close();
  });

  it('a subscription to the clock, and no read is older than the clock it reported', async () => {
    const client = await new PubSubClient(node.socketUrl).opened();
    const subscription = await client.subscribe('accountSubscribe', CLOCK_SYSVAR, ZSTD);
    const slots: number[] = [];
    for (let told = 0; told < 3; told++) {
      const { method, result } = await client.notified<InContext<Account>>();
      expect(method).toBe('accountNotification');
      expect(Number(bytesOf(result.value).readBigUInt64LE(0))).toBe(result.context.slot);
      const config = { ...ZSTD, minContextSlot: result.context.slot };
      const read = await ask<InContext<unknown>>('getMultipleAccounts', [CLOCK_SYSVAR], config);
      expect(read.context.slot).toBeGreaterThanOrEqual(result.context.slot);
      slots.push(result.context.slot);
    }
    expect(slots.toSorted((left, right) => left - right)).toEqual(slots);
    expect(new Set(slots).size).toBe(3);
    expect(await unsubscribe(client, 'accountUnsubscribe', subscription)).toBe(true);
    client.socket.close();
  });

  it('a subscription to slots, and a request for each block', async () => {
    const client = await new PubSubClient(node.socketUrl).opened();
    const subscription = await client.subscribe('slotSubscribe');
    const { method, result } = await client.notified<{ slot: number; parent: number; root: number }>();
    expect([method, result.parent]).toEqual(['slotNotification', result.slot - 1]);
    // A block is there once its slot is over.
    while ((await client.notified<{ root: number }>()).result.root < result.slot);
    expect(
      await ask('getBlock', result.slot, {
        encoding: 'json',
        transactionDetails: 'full',
        rewards: false,
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 255,
      }),
    ).toMatchObject({
      blockHeight: expect.any(Number),
      blockTime: expect.any(Number),
      parentSlot: result.parent,
      transactions: expect.any(Array),
    });
    expect(await unsubscribe(client, 'slotUnsubscribe', subscription)).toBe(true);
    client.socket.close();
  });
});

/** Ends a subscription; notifications may still come before the answer does. */
async function unsubscribe(client: PubSubClient, method: string, subscription: number): Promise<unknown> {
  client.send(JSON.stringify({ jsonrpc: '2.0', id: 99, method, params: [subscription] }));
  for (;;) {
    const message = JSON.parse(await client.next());
    if (message.id === 99) return message.result;
  }
}
