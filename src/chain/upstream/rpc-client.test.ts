import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { type Outcome, ScriptedTransport, type SentCall } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { type RpcCall, RpcClient, type TokenPlace } from './rpc-client.ts';
import { Upstream } from './upstream.ts';

const call: RpcCall<number> = { method: 'getSlot', params: [{}], result: z.int() };

function open(
  decide: (call: SentCall) => Outcome,
  tokenPlace: TokenPlace = 'query',
  urls = ['https://a.example/k3y'],
) {
  const transport = new ScriptedTransport((_, sent) => decide(sent));
  const ports = upstreamPorts(transport);
  const upstream = new Upstream(
    'the rollup',
    urls.map((url) => new URL(url)),
    ports,
  );
  return { client: new RpcClient(upstream, tokenPlace), transport };
}

/** An answer with the body `text`, in which ID is replaced by the id of the call. */
const body =
  (text: string, changes: object = {}) =>
  ({ id }: SentCall): Outcome => ({ body: text.replaceAll('ID', String(id)), ...changes });

async function faultOf(asked: Promise<unknown>): Promise<ServiceError> {
  try {
    await asked;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('it was answered');
}

describe('RpcClient.read', () => {
  it('sends JSON-RPC 2.0 with a new id each time and returns the result', async () => {
    const { client, transport } = open(() => ({ result: 7 }));
    expect([await client.read(call), await client.read(call)]).toEqual([7, 7]);
    expect(transport.calls).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'getSlot', params: [{}] })),
    );
  });

  it.each([
    ['error null', '{"jsonrpc":"2.0","id":ID,"result":7,"error":null}'],
    ['no version', '{"id":ID,"result":7}'],
    ['unknown members', '{"id":ID,"result":7,"usage":{"credits":1}}'],
  ])('tolerates %s', async (_, text) => {
    expect(await open(body(text)).client.read(call)).toBe(7);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['truncated JSON', '{"jsonrpc":"2.0","id":ID,"resu'],
    ['a value that is not an object', '7'],
    ['a batch', '[{"id":ID,"result":7}]'],
    ['the id of another call', '{"id":99,"result":7}'],
    ['the id as a string', '{"id":"ID","result":7}'],
    ['no id', '{"result":7}'],
    ['id null', '{"id":null,"result":7}'],
    ['neither result nor error', '{"id":ID}'],
    ['a result of another form', '{"id":ID,"result":"7"}'],
    ['a result that is null', '{"id":ID,"result":null}'],
    ['an error without a code', '{"id":ID,"error":{"message":"no"}}'],
    ['an error that is a text', '{"id":ID,"error":"no"}'],
    ['a result and an error', '{"id":ID,"result":7,"error":{"code":-32602}}'],
    ['two ids, the last one right', '{"id":99,"result":7,"id":ID}'],
    ['two ids, the first one right', '{"id":ID,"result":7,"id":99}'],
    ['one id twice', '{"id":ID,"result":7,"id":ID}'],
    ['two results', '{"id":ID,"result":8,"result":7}'],
    ['two errors', '{"id":ID,"error":null,"result":7,"error":null}'],
    ['an error that a second one overrides', '{"id":ID,"error":{"code":1},"error":null,"result":7}'],
    ['an error for another call', '{"id":99,"error":{"code":-32601,"message":"no"}}'],
  ])('rejects an answer that has %s', async (_, text) => {
    expect(await faultOf(open(body(text)).client.read(call))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it('accepts null for an absent member', async () => {
    expect(await open(body('{"id":ID,"result":7,"error":null}')).client.read(call)).toBe(7);
    const { client } = open(body('{"id":ID,"result":null,"error":{"code":-32602}}'));
    expect(await faultOf(client.read(call))).toMatchObject({ code: 'UPSTREAM_REJECTED' });
  });

  it('treats an answer with result and error as invalid', async () => {
    const { client } = open(body('{"id":ID,"result":7,"error":{"code":-32002,"message":"no"}}'));
    expect(await faultOf(client.send(call))).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it('rejects a result that the caller cannot use', async () => {
    const { client } = open(() => ({ result: 7 }));
    const fault = await faultOf(client.read({ ...call, isUsable: (slot) => slot > 7 }));
    expect(fault).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it.each([
    [200, '{"id":ID,"error":{"code":-32601,"message":"c4n4ry"}}', 'UPSTREAM_REJECTED', { rpcCode: -32_601 }],
    [
      200,
      '{"id":null,"error":{"code":-32700,"message":"c4n4ry"}}',
      'UPSTREAM_REJECTED',
      { rpcCode: -32_700 },
    ],
    [400, '{"id":ID,"error":{"code":-32602,"message":"c4n4ry"}}', 'UPSTREAM_REJECTED', { rpcCode: -32_602 }],
    [500, 'c4n4ry', 'UPSTREAM_UNAVAILABLE', { upstreamStatus: 500 }],
    [500, '{"id":ID,"result":7}', 'UPSTREAM_UNAVAILABLE', { upstreamStatus: 500 }],
    [
      429,
      '{"id":ID,"error":{"code":-32603,"message":"c4n4ry"}}',
      'UPSTREAM_RATE_LIMITED',
      { upstreamStatus: 429 },
    ],
    [403, '{"id":ID,"error":{"code":1,"message":"c4n4ry"}}', 'UPSTREAM_REJECTED', { upstreamStatus: 403 }],
    [302, 'c4n4ry', 'UPSTREAM_INVALID', { upstreamStatus: 302 }],
  ])('reports status %i with %s unchanged', async (status, text, code, context) => {
    const urls = ['https://a.example', 'https://b.example', 'https://c.example'];
    const fault = await faultOf(open(body(text, { status }), 'query', urls).client.read(call));
    expect(fault).toMatchObject({ code, context });
    expect(fault.message).not.toContain('c4n4ry');
  });

  it('returns the answer of the second URL if that of the first is invalid', async () => {
    const { client, transport } = open(
      ({ id }) => (id === 1 && transport.requests.length === 1 ? { body: 'nonsense' } : { result: 7 }),
      'query',
      ['https://a.example', 'https://b.example'],
    );
    expect(await client.read(call)).toBe(7);
    expect(transport.hosts).toEqual(['a.example', 'b.example']);
  });
});

describe("the caller's token", () => {
  const seen = async (tokenPlace: TokenPlace, url: string): Promise<string | undefined> => {
    const { client, transport } = open(() => ({ result: 7 }), tokenPlace, [url]);
    await client.read({ ...call, token: 'a/b&c=d' });
    await client.read(call);
    expect(transport.requests[1]?.url.href).toBe(url);
    expect(transport.requests[0]?.body).not.toContain('a/b');
    return transport.requests[0]?.url.href;
  };

  it("is added to the query of the operator's URL", async () => {
    expect(await seen('query', 'https://a.example/rpc?key=1')).toBe(
      'https://a.example/rpc?key=1&token=a%2Fb%26c%3Dd',
    );
  });

  it("replaces the operator's own token, so that rights do not add up", async () => {
    expect(await seen('query', 'https://a.example/?token=operator')).toBe(
      'https://a.example/?token=a%2Fb%26c%3Dd',
    );
  });

  it('never goes to a base ledger', async () => {
    expect(await seen('nowhere', 'https://a.example/')).toBe('https://a.example/');
  });

  it('is rejected by a 401, and no other URL is tried', async () => {
    const { client, transport } = open(() => ({ status: 401 }), 'query', [
      'https://a.example',
      'https://b.example',
    ]);
    expect(await faultOf(client.read({ ...call, token: 't' }))).toMatchObject({ code: 'AUTH_REFUSED' });
    expect(transport.requests).toHaveLength(1);
  });
});

describe('RpcClient.send', () => {
  const refuse = (error: object) => open(({ id }) => ({ body: JSON.stringify({ id, error }) }));

  it('returns why the preflight failed, with the last lines of the log', async () => {
    const err = { InstructionError: [0, { Custom: 1 }] };
    const logs = Array.from({ length: 30 }, (_, line) => `line ${line}`);
    const { client } = refuse({ code: -32_002, message: 'failed', data: { err, logs, unitsConsumed: 5 } });
    const fault = await faultOf(client.send(call));
    expect(fault).toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: { rpcCode: -32_002, logs: logs.slice(20) },
    });
    expect(fault.context['reason']).toBe('{"InstructionError":[0,{"Custom":1}]}');
  });

  it("passes on an upstream's message if it has no better one, without its URL", async () => {
    const words = await faultOf(
      refuse({ code: -32_003, message: 'custom program error: 0x1' }).client.send(call),
    );
    expect(words).toMatchObject({
      code: 'TRANSACTION_FAILED',
      context: { reason: 'custom program error: 0x1' },
    });
    const url = await faultOf(refuse({ code: -32_003, message: 'ask https://a.example' }).client.send(call));
    expect(url.context).toEqual({ rpcCode: -32_003 });
  });

  it('is never repeated', async () => {
    const { client, transport } = open(() => ({ fault: 'broken-off' }));
    expect(await faultOf(client.send(call))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(transport.requests).toHaveLength(1);
  });
});
