import { describe, expect, it } from 'vitest';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { type Outcome, ScriptedTransport, type SentCall } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';

const addressAt = (index: number): Address => addressOf(new Uint8Array(32).fill(index % 250).fill(7, 31));
const OWNER = addressAt(1);
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));

function open(decide: (call: SentCall) => Outcome) {
  const transport = new ScriptedTransport((_, call) => decide(call));
  const ports = upstreamPorts(transport);
  const urls = ['https://a.example/', 'https://b.example/', 'https://c.example/'].map((url) => new URL(url));
  return { node: new RpcLedgerClient('the ledger', urls, 'query', ports), transport };
}

/** A node that answers every call with the text of a result, in which numbers keep their digits. */
function answering(result: string) {
  return open(({ id }) => ({ body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` }));
}

async function faultOf(asked: Promise<unknown>): Promise<ServiceError> {
  try {
    await asked;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('it was answered');
}

const accountText = (changes: object = {}): string =>
  JSON.stringify({
    lamports: 5,
    owner: OWNER,
    data: ['AQID', 'base64'],
    executable: false,
    rentEpoch: 'EPOCH',
    space: 3,
    ...changes,
  }).replace('"EPOCH"', '18446744073709551615');

const inContext = (value: string): string => `{"context":{"slot":10},"value":${value}}`;

describe('getAccounts', () => {
  it('returns accounts and absences in order, exact to the lamport', async () => {
    const rich = accountText({ lamports: 'L' }).replace('"L"', '18446744073709551615');
    const { node, transport } = answering(inContext(`[${accountText()},null,${rich}]`));
    const account = {
      lamports: 5n,
      owner: OWNER,
      data: Buffer.from([1, 2, 3]),
      executable: false,
      rentEpoch: 18446744073709551615n,
    };
    const addresses = [1, 2, 3].map(addressAt);
    expect(await node.getAccounts(addresses, 'my token')).toEqual([
      account,
      null,
      { ...account, lamports: 18446744073709551615n },
    ]);
    expect(transport.calls).toMatchObject([
      { method: 'getMultipleAccounts', params: [addresses, { commitment: 'confirmed', encoding: 'base64' }] },
    ]);
    expect(transport.requests[0]?.url.search).toBe('?token=my+token');
  });

  it('sends no request without addresses', async () => {
    const { node, transport } = answering('null');
    expect(await node.getAccounts([])).toEqual([]);
    expect(transport.requests).toHaveLength(0);
  });

  it('reads more than a hundred in batches, none older than the one before', async () => {
    let slot = 10;
    const { node, transport } = open(({ params }) => ({
      result: { context: { slot: slot++ }, value: (params[0] as string[]).map(() => null) },
    }));
    const addresses = Array.from({ length: 201 }, (_, index) => addressAt(index));
    expect(await node.getAccounts(addresses)).toHaveLength(201);
    expect(transport.calls.map(({ params }) => (params[0] as string[]).length)).toEqual([100, 100, 1]);
    const slots = transport.calls.map(
      ({ params }) => (params[1] as { minContextSlot?: number }).minContextSlot,
    );
    expect(slots).toEqual([undefined, 10, 11]);
  });

  it.each([
    ['too few accounts', '[]'],
    ['too many accounts', '[null,null]'],
    ['a rounded balance', `[${accountText({ lamports: 1.8446744073709552e19 })}]`],
    ['a balance above u64', `[${accountText({ lamports: 'L' }).replace('"L"', '18446744073709551616')}]`],
    ['a negative balance', `[${accountText({ lamports: -1 })}]`],
    ['no balance', `[${accountText({ lamports: undefined })}]`],
    ['an invalid owner', `[${accountText({ owner: 'nobody' })}]`],
    ['data in another encoding', `[${accountText({ data: ['3zL1', 'base58'] })}]`],
    ['data that is not base64', `[${accountText({ data: ['A*ID', 'base64'] })}]`],
    ['truncated data', `[${accountText({ data: ['AQI', 'base64'] })}]`],
    ['data without an encoding', `[${accountText({ data: 'AQID' })}]`],
  ])('rejects an answer with %s', async (_, value) => {
    const { node } = answering(inContext(value));
    expect(await faultOf(node.getAccounts([OWNER]))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it('treats a rent epoch that a provider rounded up as rent-exempt', async () => {
    const { node } = answering(inContext(`[${accountText({ rentEpoch: 18446744073709552000 })}]`));
    expect(await node.getAccounts([OWNER])).toMatchObject([{ rentEpoch: 18446744073709551615n }]);
  });

  it.each([
    ['a fraction', '0.5'],
    ['infinite', '1e400'],
    ['below zero', '-1'],
    ['text', '"soon"'],
  ])('tries the next URL if a rent epoch is %s', async (_, epoch) => {
    const text = (changed: string): string =>
      accountText({ rentEpoch: 'CHANGED' }).replace('"CHANGED"', changed);
    let asked = 0;
    const { node } = open(({ id }) => {
      const value = `[${text(asked++ === 0 ? epoch : '7')}]`;
      return { body: `{"jsonrpc":"2.0","id":${id},"result":${inContext(value)}}` };
    });
    expect(await node.getAccounts([OWNER])).toMatchObject([{ rentEpoch: 7n }]);
    expect(asked).toBe(2);
  });

  it('treats a rent epoch of minus zero as zero', async () => {
    const account = accountText({ rentEpoch: 'E' }).replace('"E"', '-0');
    const { node } = answering(inContext(`[${account}]`));
    expect(await node.getAccounts([OWNER])).toMatchObject([{ rentEpoch: 0n }]);
  });

  it.each(['0.5', '1e400'])('rejects a slot of %s', async (slot) => {
    const { node } = answering(`{"context":{"slot":${slot}},"value":[null]}`);
    expect(await faultOf(node.getAccounts([OWNER]))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it.each(['0.5', '1e400'])('rejects a balance of %s lamports', async (lamports) => {
    const account = accountText({ lamports: 'L' }).replace('"L"', lamports);
    const { node } = answering(inContext(`[${account}]`));
    expect(await faultOf(node.getAccounts([OWNER]))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it('accepts larger answers than other calls, up to a limit', async () => {
    const { node, transport } = answering(inContext('[null]'));
    await node.getAccounts([OWNER]);
    await node.blockHeight().catch(() => {});
    expect(transport.requests.map(({ answerBytesMax }) => answerBytesMax).slice(0, 2)).toEqual([
      2 * 1024 * 1024,
      1024 * 1024,
    ]);
  });
});

describe('latestBlockhash and blockHeight', () => {
  it('return the answer at confirmed, the second time the cached blockhash', async () => {
    const { node, transport } = open(({ method }) =>
      method === 'getBlockHeight'
        ? { result: 77 }
        : { result: { context: { slot: 1 }, value: { blockhash: OWNER, lastValidBlockHeight: 150 } } },
    );
    expect(await node.latestBlockhash()).toEqual({ blockhash: OWNER, lastValidBlockHeight: 150 });
    expect(await node.latestBlockhash()).toEqual({ blockhash: OWNER, lastValidBlockHeight: 150 });
    expect(await node.blockHeight()).toBe(77);
    expect(transport.calls.map(({ method, params }) => [method, params])).toEqual([
      ['getLatestBlockhash', [{ commitment: 'confirmed' }]],
      ['getBlockHeight', [{ commitment: 'confirmed', minContextSlot: 1 }]],
    ]);
    node.close();
  });

  it.each([
    ['a short hash', { blockhash: 'abc', lastValidBlockHeight: 1 }],
    ['no height', { blockhash: OWNER }],
    ['a broken height', { blockhash: OWNER, lastValidBlockHeight: 1.5 }],
    ['a hash that is a number', { blockhash: 5, lastValidBlockHeight: 1 }],
  ])('rejects %s', async (_, value) => {
    const { node } = open(() => ({ result: { context: { slot: 1 }, value } }));
    expect(await faultOf(node.latestBlockhash())).toMatchObject({ code: 'UPSTREAM_INVALID' });
    node.close();
  });

  it('requests the blockhash from another URL if the first has stalled', async () => {
    const hashes: Record<string, string> = { 'a.example': addressAt(2), 'b.example': addressAt(3) };
    const transport = new ScriptedTransport(({ url }) => ({
      result: {
        context: { slot: 1 },
        value: { blockhash: hashes[url.hostname] ?? OWNER, lastValidBlockHeight: 150 },
      },
    }));
    const ports = upstreamPorts(transport);
    const urls = ['https://a.example/', 'https://b.example/'].map((url) => new URL(url));
    const node = new RpcLedgerClient('the ledger', urls, 'nowhere', ports);
    expect(await node.latestBlockhash()).toMatchObject({ blockhash: hashes['a.example'] });
    await ports.time.pass(40_000);
    expect(await node.latestBlockhash()).toMatchObject({ blockhash: hashes['b.example'] });
    node.close();
  });
});

describe('isBlockhashValid', () => {
  it.each([true, false])('returns %s like the ledger, which is queried at processed', async (value) => {
    const { node, transport } = answering(inContext(`${value}`));
    expect(await node.isBlockhashValid(OWNER, 'my token')).toBe(value);
    expect(transport.calls).toMatchObject([
      { method: 'isBlockhashValid', params: [OWNER, { commitment: 'processed' }] },
    ]);
    expect(transport.requests[0]?.url.search).toBe('?token=my+token');
  });

  it('accepts a blockhash whose block is not confirmed yet', async () => {
    const { node } = open(({ params: [, config] }) => ({
      result: { context: { slot: 9 }, value: (config as { commitment: string }).commitment === 'processed' },
    }));
    expect(await node.isBlockhashValid(OWNER)).toBe(true);
  });

  it.each(['null', '"true"', '1'])('rejects %s as an answer', async (value) => {
    const { node } = answering(inContext(value));
    expect(await faultOf(node.isBlockhashValid(OWNER))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });
});

describe('simulateTransaction', () => {
  const wire = Uint8Array.from([1, 2, 3]);

  it('simulates without signatures on a new blockhash and reports on the watched accounts', async () => {
    const value = `{"err":null,"logs":["a"],"unitsConsumed":5,"accounts":[null,${accountText()}],"more":1}`;
    const { node, transport } = answering(inContext(value));
    const watch = [1, 2].map(addressAt);
    expect(await node.simulateTransaction(wire, watch)).toMatchObject({
      err: null,
      logs: ['a'],
      computeUnits: 5,
      accounts: [null, { lamports: 5n }],
    });
    expect(transport.calls[0]?.params).toEqual([
      'AQID',
      {
        commitment: 'confirmed',
        encoding: 'base64',
        sigVerify: false,
        replaceRecentBlockhash: true,
        accounts: { encoding: 'base64', addresses: watch },
      },
    ]);
  });

  it('returns the error of a failed run and no accounts', async () => {
    const { node } = answering(
      inContext('{"err":{"InstructionError":[0,{"Custom":1}]},"logs":null,"accounts":[null]}'),
    );
    expect(await node.simulateTransaction(wire, [OWNER])).toEqual({
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: [],
      computeUnits: null,
      accounts: null,
    });
  });

  it.each([
    ['leaves out the error', '{"logs":[],"accounts":[null]}'],
    ['leaves out the accounts', '{"err":null,"logs":[],"accounts":null}'],
    ['has too many accounts', '{"err":null,"logs":[],"accounts":[null,null]}'],
  ])('rejects an answer that %s', async (_, value) => {
    const { node } = answering(inContext(value));
    expect(await faultOf(node.simulateTransaction(wire, [OWNER]))).toMatchObject({
      code: 'UPSTREAM_INVALID',
    });
  });
});

describe('sendTransaction and signatureStatus', () => {
  it('sends base64 with a preflight at confirmed and returns the signature', async () => {
    const { node, transport } = open(() => ({ result: SIGNATURE }));
    expect(await node.sendTransaction(Uint8Array.from([1, 2, 3]))).toBe(SIGNATURE);
    expect(transport.calls[0]).toMatchObject({
      method: 'sendTransaction',
      params: ['AQID', { encoding: 'base64', preflightCommitment: 'confirmed' }],
    });
  });

  it('accepts only a signature, and does not retry', async () => {
    const { node, transport } = open(() => ({ result: 'ok' }));
    expect(await faultOf(node.sendTransaction(Uint8Array.from([1])))).toMatchObject({
      code: 'UPSTREAM_INVALID',
    });
    expect(transport.requests).toHaveLength(1);
  });

  it.each([
    ['[null]', null],
    ['[{"slot":5,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]', { slot: 5, err: null }],
    ['[{"slot":5,"err":"AccountInUse","confirmationStatus":"confirmed"}]', { slot: 5, err: 'AccountInUse' }],
    ['[{"slot":5,"err":null,"confirmationStatus":"processed"}]', null],
    ['[{"slot":5,"confirmations":null,"err":null}]', { slot: 5, err: null }],
    ['[{"slot":5,"confirmations":31,"err":null}]', null],
  ])('reads the status %s', async (value, status) => {
    const { node, transport } = answering(inContext(value));
    expect(await node.signatureStatus(SIGNATURE)).toEqual(status);
    expect(transport.calls[0]).toMatchObject({ method: 'getSignatureStatuses', params: [[SIGNATURE]] });
  });

  it('searches the history only on request', async () => {
    const { node, transport } = answering(inContext('[null]'));
    expect(await node.signatureStatus(SIGNATURE, undefined, { searchHistory: true })).toBeNull();
    expect(transport.calls[0]).toMatchObject({ params: [[SIGNATURE], { searchTransactionHistory: true }] });
  });

  it.each([
    '[]',
    '[null,null]',
    '[{"slot":5,"confirmationStatus":"finalized"}]',
    '[{"slot":5,"err":null}]',
    '[{"slot":5,"err":null,"confirmationStatus":"certified"}]',
  ])('treats %s as an unknown status', async (value) => {
    const { node } = answering(inContext(value));
    expect(await faultOf(node.signatureStatus(SIGNATURE))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });
});
