import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { bridgeStdio, endpointOf } from './bridge.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';

const SERVICE = new URL('http://127.0.0.1:9000');

interface Posted {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends lines over a bridge to a service that `answer` plays, and resolves to what came back. */
async function converse(
  lines: readonly string[],
  answer: (posted: Posted) => Response | Promise<Response>,
  options: { token?: string; apiKey?: string } = {},
): Promise<{ answers: readonly string[]; posted: readonly Posted[] }> {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 10_000_000 });
  const posted: Posted[] = [];
  const fetch = (async (url: URL, { headers, body }: { headers: Record<string, string>; body: Buffer }) => {
    const request = { url: String(url), headers: new Headers(headers), body: body.toString() };
    posted.push(request);
    return answer(request);
  }) as typeof globalThis.fetch;
  const bridge = bridgeStdio({ serviceUrl: SERVICE, input, output, fetch, ...options });
  input.end(`${lines.join('\n')}\n`);
  await bridge.done;
  const text = String(Buffer.concat(await output.end().toArray()));
  return { answers: text.split('\n').slice(0, -1), posted };
}

const PING = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
const PONG = '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}';

describe('bridgeStdio', () => {
  it('forwards each message and its response unchanged', async () => {
    const { answers, posted } = await converse([PING], () => new Response(PONG), { token: 'of-alice' });
    expect(answers).toEqual([PONG]);
    expect(posted).toMatchObject([{ url: 'http://127.0.0.1:9000/mcp', body: PING }]);
    expect(posted[0]?.headers.get('authorization')).toBe('Bearer of-alice');
  });

  it('sends an API key, and the token for the rollup in its own header then', async () => {
    const options = { token: 'of-alice', apiKey: 'spp_key' };
    const { posted } = await converse([PING], () => new Response(PONG), options);
    expect(posted[0]?.headers.get('authorization')).toBe('Bearer spp_key');
    expect(posted[0]?.headers.get('rollup-authorization')).toBe('Bearer of-alice');
  });

  it('reports a rejected API key as the error of the request', async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Unauthorized: no"}}';
    const { answers } = await converse([PING], () => new Response(body, { status: 401 }), {
      apiKey: 'spp_key',
    });
    expect(answers).toEqual([body.replace('null', '9007199254740993')]);
  });

  it('returns nothing for notifications', async () => {
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const { answers, posted } = await converse(
      [notification, ''],
      () => new Response('busy', { status: 503 }),
    );
    expect(answers).toEqual([]);
    expect(posted).toHaveLength(1);
  });

  it('mirrors messages of 2026-07-28 in headers', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const params = { name: 'spl.zahlung-ü', _meta: meta };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { posted } = await converse([call], () => new Response('{"jsonrpc":"2.0","id":1,"result":{}}'));
    const { headers } = posted[0] as Posted;
    expect(headers.get('mcp-protocol-version')).toBe('2026-07-28');
    expect(headers.get('mcp-method')).toBe('tools/call');
    expect(headers.get('mcp-name')).toBe(`=?base64?${Buffer.from('spl.zahlung-ü').toString('base64')}?=`);
  });

  it('adds the id of the request to an error without one', async () => {
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Too Many Requests: wait"}}';
    const { answers } = await converse([PING], () => new Response(refusal, { status: 429 }));
    expect(answers).toEqual([
      '{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32000,"message":"Too Many Requests: wait"}}',
    ]);
  });

  it('distinguishes a stopped service from a wrong response', async () => {
    const gone = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    const { answers } = await converse([PING], () => Promise.reject(gone));
    expect(answers[0]).toContain('http://127.0.0.1:9000 cannot be reached (ECONNREFUSED): start it');
    const other = await converse([PING], () => new Response('<html>', { status: 502 }));
    expect(other.answers[0]).toContain('http://127.0.0.1:9000 answered HTTP 502');
  });

  it('rejects a response to another request or without a result', async () => {
    const other = await converse([PING], () => new Response('{"jsonrpc":"2.0","id":999,"result":{}}'));
    expect(other.answers[0]).toContain('"id":9007199254740993,"error"');
    const empty = await converse([PING], () => new Response(PONG.replace(',"result":{}', '')));
    expect(empty.answers[0]).toContain('answered HTTP 200');
  });

  it('does not suggest a retry of a request that may have been executed', async () => {
    const late = Object.assign(new Error('aborted'), { name: 'TimeoutError' });
    const { answers } = await converse([PING], () => Promise.reject(late));
    expect(answers[0]).toContain('did not respond (TimeoutError): the request may have been executed');
  });

  it('keeps the named host, whatever the path (bug: //host was treated as another host)', async () => {
    const named = endpointOf(new URL('http://127.0.0.1:9000//collector.example/'));
    expect([named.origin, named.pathname]).toEqual(['http://127.0.0.1:9000', '//collector.example/mcp']);
  });

  it('ends after its answers are read, and exits cleanly when the client disconnects', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const long = `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(400_000)}"}`;
    const fetch = (async () => new Response(long)) as typeof globalThis.fetch;
    const bridge = bridgeStdio({ serviceUrl: SERVICE, input, output, fetch });
    let isDone = false;
    const done = bridge.done.then(() => (isDone = true));
    input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await vi.waitFor(
      () => expect(output.readableLength + output.writableLength).toBeGreaterThan(400_000),
      PATIENCE,
    );
    expect(isDone).toBe(false);
    let taken = 0;
    output.on('data', (chunk: Buffer) => (taken += chunk.length));
    await done;
    expect(taken).toBe(long.length + 1);
    for (const word of ['first', 'second']) output.emit('error', new Error(word));
  });

  it('writes a response of several lines as one line', async () => {
    const { answers } = await converse([PING], () => new Response(PONG.replaceAll(',', ',\r\n')));
    expect(answers).toHaveLength(1);
    expect(JSON.parse(answers[0] as string)).toMatchObject({ result: {} });
  });

  it('rejects invalid JSON and long lines without a request', async () => {
    const { answers, posted } = await converse(['{', `"${'x'.repeat(70_000)}"`], () => new Response(''));
    expect(answers.map((answer) => JSON.parse(answer) as object)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32000 } },
    ]);
    expect(posted).toEqual([]);
  });

  it('limits the requests in flight and answers all', async () => {
    let [now, most] = [0, 0];
    const lines = Array.from({ length: 100 }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }),
    );
    const { answers } = await converse(lines, async ({ body }) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return new Response(`{"jsonrpc":"2.0","id":${(JSON.parse(body) as { id: number }).id},"result":{}}`);
    });
    expect(answers).toHaveLength(100);
    expect(most).toBe(32);
  });
});
