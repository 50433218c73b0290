import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../http/server.ts';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { transferLamports } from '../programs/system.ts';
import { createRpcHandler } from '../rpc/http/rpc-handler.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { dispatcherOn } from '../rpc/testing/call-method.ts';
import { FixedLedger } from '../rpc/testing/fixed-ledger.ts';
import { GOLDEN_ENVELOPES, GOLDEN_PARAMS } from '../rpc/testing/golden-answers.ts';
import { sendRequest } from '../rpc/testing/send-request.ts';
import { startTestNode } from '../rpc/testing/test-node.ts';
import { addressFilledWith } from '../rpc/testing/transactions.ts';
import { startGateway, startUpstream } from './testing/running-gateway.ts';

const call = (method: string, params: readonly unknown[] = [], id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('a gateway in front of a node of ours', () => {
  it('answers bodies of every form and all kinds of parameters byte for byte as the node does', async () => {
    const handler = createRpcHandler({ dispatch: dispatcherOn(new FixedLedger()) });
    const node = await startHttpServer('127.0.0.1', 0, handler);
    onTestFinished(() => node.close());
    const gateway = await startGateway([node.url], { methods: ['*'] });
    const bodies = [
      ...GOLDEN_ENVELOPES.map(([request]) => request),
      ...LEDGER_METHODS.map(({ name }) => call(name)),
      ...LEDGER_METHODS.map(({ name }) => call(name, [addressFilledWith(3)])),
      ...GOLDEN_PARAMS.map(
        ([method, params]) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
      ),
    ];
    for (const body of bodies) {
      expect(await gateway.post(body), body).toBe((await sendRequest(node.url, { body })).body);
    }
  });

  it('makes a payment: blockhash, simulation, sending, status, remaining balance', async () => {
    const node = await startTestNode();
    onTestFinished(() => node.close());
    const gateway = await startGateway([node.url]);
    const payer = await node.fundedWallet();
    const payee = addressFilledWith(9);
    const transfer = transferLamports(payer.address, payee, 1_000_000_000n);
    const { wire } = buildTransaction(node.ledger, [payer], [transfer]);
    const text = Buffer.from(wire).toString('base64');
    const sent = JSON.parse(await gateway.post(call('sendTransaction', [text, { encoding: 'base64' }])));
    const signature = sent.result as string;
    expect(signature).toMatch(/^\w{87,88}$/);

    const reads = [
      call('getBalance', [payee]),
      call('getAccountInfo', [payer.address, { encoding: 'base64' }]),
      call('getSignatureStatuses', [[signature]]),
      call('getTransaction', [signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }]),
      call('simulateTransaction', [text, { encoding: 'base64', replaceRecentBlockhash: true }]),
      call('getLatestBlockhash'),
      call('getSlot', [{ commitment: 'processed' }]),
      call('getMinimumBalanceForRentExemption', [165]),
      call('getTokenLargestAccounts', [payee]),
      call('getGenesisHash'),
    ];
    for (const body of reads) {
      const direct = (await sendRequest(node.url, { body })).body;
      expect(await gateway.post(body), body).toBe(direct);
    }
    expect(await gateway.post(reads[0] as string)).toContain('"value":1000000000}');
    expect(await gateway.post(`[${reads.join(' , ')}]`)).toBe(
      (await sendRequest(node.url, { body: `[${reads.join(',')}]` })).body,
    );
  });
});

describe('the text of a call', () => {
  const ODD =
    ' { "params" : [ {"z":18446744073709551615, "a": 1.0e5,"z":2} , "\\u00e9é" ],\n"method":"getSlot","id": "x y" , "jsonrpc":"2.0"} ';
  const ANSWER =
    '{"id" :"x\\u0020y","result":{"b":18446744073709551615 ,"a":[ 1.10, null]},"jsonrpc":"2.0","more":{}}';

  it('is forwarded unchanged, and so is its answer', async () => {
    const upstream = await startUpstream(() => `${ANSWER}\r\n`);
    const gateway = await startGateway([upstream.url]);
    expect(await gateway.post(ODD)).toBe(`${ANSWER}\n`);
    expect(upstream.bodies).toEqual([ODD]);
  });

  it('is forwarded for each call of a batch, and the answers keep the order of the calls', async () => {
    const upstream = await startUpstream(async (body) => {
      if (!body.includes('"x y"')) return `{"jsonrpc":"2.0", "result":"second","id":18446744073709551615}`;
      await new Promise((resolve) => setTimeout(resolve, 30));
      return ANSWER;
    });
    const gateway = await startGateway([upstream.url]);
    const second = '{"id":18446744073709551615,"method":"getSlot","jsonrpc":"2.0"}';
    expect(await gateway.post(`[${ODD},${second}]`)).toBe(
      `[${ANSWER},{"jsonrpc":"2.0", "result":"second","id":18446744073709551615}]\n`,
    );
    expect(upstream.bodies).toEqual([ODD.trim(), second]);
  });
});

describe('calls', () => {
  const ok = (body: string): string => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    return `{"jsonrpc":"2.0","result":"${method}","id":${id}}`;
  };
  const NOT_FORWARDED =
    '{"code":-32601,"message":"Method not found","data":"This node does not forward the method; ask its operator to add it to LEDGER_UPSTREAM_METHODS"}';

  it('that are not forwarded are rejected without calling an upstream', async () => {
    const upstream = await startUpstream(ok);
    const gateway = await startGateway([upstream.url]);
    expect(await gateway.post(call('requestAirdrop'))).toBe(
      `{"jsonrpc":"2.0","error":${NOT_FORWARDED},"id":1}\n`,
    );
    expect(upstream.bodies).toEqual([]);
  });

  it.each([
    ['by name', ['requestAirdrop']],
    ['all', ['*']],
  ])('are forwarded if the operator allows them, %s', async (_, methods) => {
    const upstream = await startUpstream(ok);
    const gateway = await startGateway([upstream.url], { methods });
    expect(JSON.parse(await gateway.post(call('requestAirdrop')))).toMatchObject({
      result: 'requestAirdrop',
    });
  });

  it('of a batch are checked individually, and notifications are not forwarded', async () => {
    const upstream = await startUpstream(ok);
    const gateway = await startGateway([upstream.url]);
    const batch = [
      call('getSlot', [], 1),
      '{"jsonrpc":"2.0","method":"sendTransaction","params":[]}',
      call('getBlock', [], 2),
      '{"id":3,"method":"getSlot"}',
      call('getVersion', [], 4),
    ];
    expect(await gateway.post(`[${batch.join(',')}]`)).toBe(
      `[{"jsonrpc":"2.0","result":"getSlot","id":1},` +
        `{"jsonrpc":"2.0","error":${NOT_FORWARDED},"id":2},` +
        `{"error":{"code":-32600,"message":"Unsupported JSON-RPC protocol version"},"id":3},` +
        `{"jsonrpc":"2.0","result":"getVersion","id":4}]\n`,
    );
    expect(upstream.bodies).toHaveLength(2);
    expect(await gateway.post('{"jsonrpc":"2.0","method":"getSlot"}')).toBe('');
    expect(await gateway.post(`[${batch[1]}]`)).toBe('');
    expect(upstream.bodies).toHaveLength(2);
  });

  it('of a batch wait for a transaction sent before them, and a transaction waits for the calls before it', async () => {
    const underWay = new Set<number>();
    const seen: number[][] = [];
    let tellBothCame = (): void => {};
    const bothCame = new Promise<void>((resolve) => (tellBothCame = resolve));
    const upstream = await startUpstream(async (body) => {
      const { id } = JSON.parse(body) as { id: number };
      underWay.add(id);
      // The first two arrive together. Another one would have arrived before they are answered.
      if (underWay.has(0) && underWay.has(1)) tellBothCame();
      if (id < 2) await bothCame;
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.push([...underWay]);
      underWay.delete(id);
      return ok(body);
    });
    const gateway = await startGateway([upstream.url]);
    const methods = ['getSlot', 'getVersion', 'sendTransaction', 'getSlot'];
    await gateway.post(`[${methods.map((method, id) => call(method, [], id)).join(',')}]`);
    expect(seen.filter((ids) => ids.includes(2))).toEqual([[2]]);
    expect(seen.map((ids) => ids.length)).toEqual([2, 1, 1, 1]);
  });

  it('are counted by method and outcome', async () => {
    const seen: unknown[] = [];
    const upstream = await startUpstream((body) =>
      body.includes('getVersion')
        ? '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no"},"id":1}'
        : ok(body),
    );
    const gateway = await startGateway([upstream.url], {
      observe: (method, outcome) => seen.push([method, outcome]),
    });
    for (const method of ['getSlot', 'getVersion', 'getBlock']) await gateway.post(call(method));
    expect(seen).toEqual([
      ['getSlot', 'ok'],
      ['getVersion', 'refused'],
      [undefined, 'refused'],
    ]);
  });

  it('of a batch that is too long are not forwarded', async () => {
    const upstream = await startUpstream(ok);
    const gateway = await startGateway([upstream.url], { batchMax: 2 });
    const calls = [1, 2, 3].map((id) => call('getSlot', [], id));
    expect(await gateway.post(`[${calls.join(',')}]`)).toContain('Batch has 3 calls; max 2');
    expect(upstream.bodies).toEqual([]);
  });

  it('of a batch that are not forwarded within fifteen seconds get an error', async () => {
    let now = 0;
    const upstream = await startUpstream((body) => {
      now += 15_001;
      return ok(body);
    });
    const ports = { clock: { now: () => now }, random: systemRandom, logger: silentLogger };
    const gateway = await startGateway([upstream.url], { ports });
    const calls = [call('sendTransaction', [], 1), '{"id":2,"method":"x"}', call('getSlot', [], 3)];
    const answers = JSON.parse(await gateway.post(`[${calls.join(',')}]`)) as object[];
    expect(answers).toMatchObject([
      { id: 1, result: 'sendTransaction' },
      { id: 2, error: { code: -32600 } },
      { id: 3, error: { code: -32603, data: { reason: 'UPSTREAM_TIMEOUT' } } },
    ]);
    expect(upstream.bodies).toHaveLength(1);
  });
});
