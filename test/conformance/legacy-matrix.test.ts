import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { type Ask, HttpClient } from './http-client.ts';
import { rpcOf, summarize } from './rpc-answer.ts';
import { startService } from './running-service.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH_TYPES = 'application/json, text/event-stream';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

let server: HttpServer;
let client: HttpClient;

beforeAll(async () => {
  server = await startService();
  client = new HttpClient(server.port);
});

afterAll(async () => {
  client.close();
  await server.close();
});

function post(message: unknown, headers: Record<string, string> = {}): Ask {
  return { headers: { ...JSON_TYPE, accept: BOTH_TYPES, ...headers }, body: JSON.stringify(message) };
}

function postText(body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE): Ask {
  return { headers, body };
}

function list(members: object): Ask {
  return post({ ...LIST, ...members });
}

function request(method: string, params?: unknown): Ask {
  return post({ jsonrpc: '2.0', id: 1, method, params });
}

function call(params?: unknown): Ask {
  return request('tools/call', params);
}

function initialize(params: object): Ask {
  return post({ ...INITIALIZE, params: { ...INITIALIZE.params, ...params } });
}

function bytes(...parts: readonly (string | number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

/** Case, request, and response: status and `ok`, `isError` or error code. */
type Row = readonly [name: string, ask: Ask, outcome: string];

describe('a POST is answered whatever its Accept header says', () => {
  it.each<Row>([
    ['both types', post(INITIALIZE), '200 ok'],
    ['application/json only, initialize', post(INITIALIZE, { accept: 'application/json' }), '200 ok'],
    ['application/json only, tools/list', post(LIST, { accept: 'application/json' }), '200 ok'],
    ['absent', { headers: JSON_TYPE, body: JSON.stringify(LIST) }, '200 ok'],
    ['*/*', post(LIST, { accept: '*/*' }), '200 ok'],
    ['text/event-stream only', post(LIST, { accept: 'text/event-stream' }), '200 ok'],
    ['text/html', post(LIST, { accept: 'text/html' }), '200 ok'],
    ['application/json;q=0', post(LIST, { accept: 'application/json;q=0' }), '200 ok'],
  ])('%s', async (_name, ask, outcome) => {
    const answer = await client.ask(ask);
    expect(summarize(answer)).toBe(outcome);
    expect(answer.headers['content-type']).toBe('application/json');
  });
});

describe('Content-Type must be application/json', () => {
  it.each<Row>([
    ['absent', postText(JSON.stringify(LIST), {}), '415 -32000'],
    ['text/plain', postText(JSON.stringify(LIST), { 'content-type': 'text/plain' }), '415 -32000'],
    ['with charset', post(LIST, { 'content-type': 'application/json; charset=utf-8' }), '200 ok'],
    ['in uppercase', post(LIST, { 'content-type': 'APPLICATION/JSON' }), '200 ok'],
    [
      'text/plain that mentions it',
      post(LIST, { 'content-type': 'text/plain; a=application/json' }),
      '415 -32000',
    ],
    ['application/json-rpc', post(LIST, { 'content-type': 'application/json-rpc' }), '415 -32000'],
    [
      'another charset, read as UTF-8',
      post(LIST, { 'content-type': 'application/json; charset=latin1' }),
      '200 ok',
    ],
    [
      'wrong, and the body too: the header is checked first',
      postText('{x', { 'content-type': 'text/plain' }),
      '415 -32000',
    ],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });
});

describe('the body must be JSON in UTF-8', () => {
  it.each<Row>([
    ['text that is not JSON', postText('{x'), '400 -32700'],
    ['nothing', postText(''), '400 -32700'],
    ['white space', postText(' \r\n'), '400 -32700'],
    ['two values', postText('{}{}'), '400 -32700'],
    [
      'bytes that are not UTF-8',
      postText(bytes('{"jsonrpc":"2.0","id":"', [0xff], '","method":"ping"}')),
      '400 -32700',
    ],
    [
      'a surrogate in UTF-8',
      postText(bytes('{"jsonrpc":"2.0","id":"', [0xed, 0xa0, 0x80], '","method":"ping"}')),
      '400 -32700',
    ],
    ['a byte order mark before it', postText(bytes([0xef, 0xbb, 0xbf], JSON.stringify(LIST))), '200 ok'],
    ['a lone surrogate, escaped', postText('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}'), '200 ok'],
    [
      'the method twice, which is ambiguous',
      postText('{"jsonrpc":"2.0","id":1,"method":"x","method":"ping"}'),
      '400 -32600',
    ],
    ['20,000 nested arrays', postText('['.repeat(20_000) + ']'.repeat(20_000)), '400 -32600'],
    ['a request with 65 levels', list({ params: nest(63) }), '400 -32600'],
    ['a request with 64 levels', list({ params: { _meta: nest(61) } }), '200 ok'],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });
});

function nest(levels: number): unknown {
  return JSON.parse('{"a":'.repeat(levels) + '{}' + '}'.repeat(levels));
}

describe('the body must be one JSON-RPC message', () => {
  it.each<Row>([
    ['a number', postText('42'), '400 -32600'],
    ['an empty object', postText('{}'), '400 -32600'],
    ['null', postText('null'), '400 -32600'],
    ['a string', postText('"tools/list"'), '400 -32600'],
    ['no method', post({ jsonrpc: '2.0', id: 1 }), '400 -32600'],
    ['jsonrpc 1.0', list({ jsonrpc: '1.0' }), '400 -32600'],
    ['jsonrpc as a number', list({ jsonrpc: 2 }), '400 -32600'],
    ['no jsonrpc', post({ id: 1, method: 'ping' }), '400 -32600'],
    [
      'the members only in __proto__',
      postText('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}'),
      '400 -32600',
    ],
    ['a method that is a number', list({ method: 7 }), '400 -32600'],
    ['a method that is null', list({ method: null }), '400 -32600'],
    ['an id that is an object', list({ id: {} }), '400 -32600'],
    ['an id that is true', list({ id: true }), '400 -32600'],
    ['an additional member', list({ extra: { a: 1 } }), '200 ok'],
    ['params that are an array', list({ params: [] }), '200 -32602'],
    ['params that are null', list({ params: null }), '200 ok'],
    ['params that are a string', list({ params: 'x' }), '200 -32602'],
    ['a batch of two', post([LIST, { ...LIST, id: 2 }]), '400 -32600'],
    ['an empty batch', post([]), '400 -32600'],
    ['a batch of notifications', post([INITIALIZED, INITIALIZED]), '400 -32600'],
    ['a mixed batch', post([LIST, INITIALIZED]), '400 -32600'],
    ['a batch with initialize', post([INITIALIZE, LIST]), '400 -32600'],
    ['a batch with a duplicate id', post([LIST, LIST]), '400 -32600'],
    ['a batch of 101', post(Array.from({ length: 101 }, () => LIST)), '400 -32600'],
    ['a batch with one invalid member', post([LIST, 1]), '400 -32600'],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });

  it.each([null, 1.5, 1e300, '', 0, -1, 'abc', '\u{1f600}', Number.MAX_SAFE_INTEGER])(
    'echoes the id %j',
    async (id) => {
      const answer = await client.ask(list({ id }));
      expect(answer.status).toBe(200);
      expect(rpcOf(answer).id).toBe(id);
    },
  );
});

describe('tools/list', () => {
  it('GET with an event stream at quality 0 returns the info document', async () => {
    const ask = { method: 'GET', headers: { accept: 'application/json, text/event-stream;q=0' } };
    expect((await client.ask(ask)).status).toBe(200);
    expect((await client.ask({ method: 'GET', headers: { accept: 'text/event-stream;q=0.1' } })).status).toBe(
      405,
    );
  });
});

describe('numbers keep their original digits (bug: they were rounded)', () => {
  it.each(['9007199254740993', '-9007199254740993', '1.0', '1e3', '-0', '1e999', '0.10'])(
    'the id %s is returned character for character',
    async (id) => {
      const { status, text } = await client.ask(postText(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`));
      expect(status).toBe(200);
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    },
  );

  it.each(['params', '_meta'])('a number is not a %s object', async (member) => {
    const params = member === 'params' ? '1.0' : '{"_meta":1.0}';
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`;
    expect(summarize(await client.ask(postText(text)))).toBe(member === 'params' ? '200 -32602' : '200 ok');
  });
});

describe('messages that are not requests are accepted without an answer', () => {
  it.each<Row>([
    ['notifications/initialized', post(INITIALIZED), '202'],
    ['the same, Accept application/json', post(INITIALIZED, { accept: 'application/json' }), '202'],
    ['an unknown notification', post({ jsonrpc: '2.0', method: 'notifications/x' }), '202'],
    [
      'notifications/cancelled',
      post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      '202',
    ],
    [
      'a call without id',
      post({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'spl.break' } }),
      '202',
    ],
    ['a notification with odd params', post({ ...INITIALIZED, params: [1] }), '202'],
    ['a result', post({ jsonrpc: '2.0', id: 1, result: {} }), '202'],
    ['an error', post({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }), '202'],
    ['a notification with an id is a request', post({ ...INITIALIZED, id: 1 }), '200 -32601'],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });
});

describe('protocol versions', () => {
  const version = (value: string): Record<string, string> => ({ 'mcp-protocol-version': value });
  it.each<Row>([
    ['header 2025-11-25', post(LIST, version('2025-11-25')), '200 ok'],
    ['header 2025-06-18', post(LIST, version('2025-06-18')), '200 ok'],
    ['header 2024-11-05', post(LIST, version('2024-11-05')), '200 ok'],
    ['header 1999-01-01', post(LIST, version('1999-01-01')), '400 -32000'],
    ['a header that is not a version', post(LIST, version('banana')), '400 -32000'],
    ['header 2026-07-28 without _meta', post(LIST, version('2026-07-28')), '400 -32602'],
    ['a header that is ignored for initialize', post(INITIALIZE, version('1999-01-01')), '200 ok'],
    ['an invalid header on a notification', post(INITIALIZED, version('1999-01-01')), '400 -32000'],
    ['initialize without params', request('initialize'), '200 -32602'],
    ['initialize without clientInfo', initialize({ clientInfo: undefined }), '200 ok'],
    ['initialize without protocolVersion', initialize({ protocolVersion: undefined }), '200 -32602'],
    ['initialize with a number as protocolVersion', initialize({ protocolVersion: 2025 }), '200 -32602'],
    ['a session id, ignored', post(LIST, { 'mcp-session-id': 'abc' }), '200 ok'],
  ])('%s', async (_name, ask, outcome) => {
    const answer = await client.ask(ask);
    expect(summarize(answer)).toBe(outcome);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2024-10-07'],
    ['1999-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['__proto__', '2025-11-25'],
  ])('initialize with %s negotiates %s', async (asked, settled) => {
    const answer = await client.ask(initialize({ protocolVersion: asked }));
    expect(rpcOf(answer).result?.['protocolVersion']).toBe(settled);
  });
});

describe('methods', () => {
  it.each<Row>([
    ['an unknown method', request('nothing/here'), '200 -32601'],
    ['an unknown method with odd params', request('nothing/here', [1]), '200 -32601'],
    ['ping', request('ping'), '200 ok'],
    ['resources/list', request('resources/list'), '200 -32601'],
    ['prompts/list', request('prompts/list'), '200 -32601'],
    ['logging/setLevel', request('logging/setLevel', { level: 'info' }), '200 -32601'],
    ['server/discover without _meta', request('server/discover'), '200 -32601'],
    ['completion/complete', request('completion/complete', {}), '200 -32601'],
    ['the empty name', request(''), '200 -32601'],
    ['toString', request('toString'), '200 -32601'],
    ['tools/list with a cursor', request('tools/list', { cursor: 'x' }), '200 -32602'],
    ['tools/list with a number as cursor', request('tools/list', { cursor: 5 }), '200 -32602'],
    ['tools/list with null as cursor', request('tools/list', { cursor: null }), '200 ok'],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });
});

describe('tools/call', () => {
  const args = { owner: OWNER, amount: 5 };
  it.each<Row>([
    ['a valid call', call({ name: 'spl.build', arguments: args }), '200 ok'],
    ['underscores for dots', call({ name: 'spl_build', arguments: args }), '200 ok'],
    ['an unknown tool', call({ name: 'spl.steal', arguments: args }), '200 -32602'],
    ['no arguments object although one is required', call({ name: 'spl.build' }), '200 isError'],
    ['no arguments object and none required', call({ name: 'spl.read' }), '200 ok'],
    ['a missing argument', call({ name: 'spl.build', arguments: { owner: OWNER } }), '200 isError'],
    ['a wrong type', call({ name: 'spl.build', arguments: { ...args, amount: [] } }), '200 isError'],
    ['an unknown argument', call({ name: 'spl.build', arguments: { ...args, extra: 1 } }), '200 isError'],
    [
      'an unknown argument that the schema drops',
      call({ name: 'spl.read', arguments: { extra: 1 } }),
      '200 isError',
    ],
    ['arguments that are an array', call({ name: 'spl.build', arguments: [] }), '200 -32602'],
    ['arguments that are null', call({ name: 'spl.build', arguments: null }), '200 -32602'],
    ['arguments that are a string', call({ name: 'spl.build', arguments: '{}' }), '200 -32602'],
    ['no name', call({ arguments: args }), '200 -32602'],
    ['a name that is a number', call({ name: 7 }), '200 -32602'],
    ['no params', call(), '200 -32602'],
    ['a tool that rejects the call', call({ name: 'spl.refuse' }), '200 isError'],
    ['a tool that fails', call({ name: 'spl.break' }), '200 isError'],
    ['the name __proto__', call({ name: '__proto__' }), '200 -32602'],
    ['the name toString', call({ name: 'toString' }), '200 -32602'],
    ['a task, which is not supported', call({ name: 'spl.read', task: { ttl: 1 } }), '200 ok'],
    ['a progress token', call({ name: 'spl.read', _meta: { progressToken: 1 } }), '200 ok'],
    ['_meta that is not an object', call({ name: 'spl.read', _meta: 7 }), '200 ok'],
  ])('%s', async (_name, ask, outcome) => {
    const answer = await client.ask(ask);
    expect(summarize(answer)).toBe(outcome);
    expect(rpcOf(answer).id).toBe(1);
  });
});

describe('methods other than POST', () => {
  it.each<readonly [...Row, allow: string | undefined]>([
    [
      'GET for an event stream',
      { method: 'GET', headers: { accept: 'text/event-stream' } },
      '405 -32000',
      'POST',
    ],
    ['GET for either type', { method: 'GET', headers: { accept: BOTH_TYPES } }, '405 -32000', 'POST'],
    ['GET in uppercase', { method: 'GET', headers: { accept: 'TEXT/EVENT-STREAM' } }, '405 -32000', 'POST'],
    ['DELETE', { method: 'DELETE' }, '405 -32000', 'GET, HEAD, POST'],
    ['PUT', { method: 'PUT' }, '405 -32000', 'GET, HEAD, POST'],
    ['PATCH', { method: 'PATCH' }, '405 -32000', 'GET, HEAD, POST'],
    ['OPTIONS', { method: 'OPTIONS' }, '405 -32000', 'GET, HEAD, POST'],
    ['HEAD', { method: 'HEAD' }, '200', undefined],
    ['HEAD for an event stream', { method: 'HEAD', headers: { accept: 'text/event-stream' } }, '405', 'POST'],
  ])('%s', async (_name, ask, outcome, allow) => {
    const answer = await client.ask(ask);
    expect(summarize(answer)).toBe(outcome);
    expect(answer.headers.allow).toBe(allow);
  });

  it.each([{ accept: 'application/json' }, {}, { accept: '*/*' }, { accept: 'text/html' }])(
    'GET with %j returns the info document',
    async (headers: Record<string, string>) => {
      const answer = await client.ask({ method: 'GET', headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.vary).toBe('Accept');
      expect(JSON.parse(answer.text)).toMatchObject({
        transport: 'streamable-http',
        endpoint: `${server.url}/mcp`,
        methods: ['POST'],
      });
    },
  );
});

describe('callers from other origins', () => {
  it.each<Row>([
    ['a web page on another host', post(LIST, { origin: 'http://evil.example.com' }), '403 -32000'],
    ['a name that resolves to this address', post(LIST, { host: 'evil.example.com' }), '403 -32000'],
    ['a page without an origin', post(LIST, { origin: 'null' }), '403 -32000'],
    ['a page on this machine', post(LIST, { origin: 'http://localhost:6274' }), '200 ok'],
    [
      'a preflight from another host',
      { method: 'OPTIONS', headers: { origin: 'http://evil.example.com' } },
      '403 -32000',
    ],
    ['before the content type', postText('{x', { origin: 'null' }), '403 -32000'],
  ])('%s', async (_name, ask, outcome) => {
    expect(summarize(await client.ask(ask))).toBe(outcome);
  });
});

describe('bodies over the limit', () => {
  it.each([
    ['64 KiB', 65_536, '200 ok'],
    ['one extra byte', 65_537, '413 -32000'],
    ['5 MiB', 5 * 1024 * 1024, '413 -32000'],
  ])('%s', async (_name, size, outcome) => {
    const answer = await client.ask(postText(JSON.stringify(LIST).padEnd(size)));
    expect(summarize(answer)).toBe(outcome);
    expect(answer.headers.connection).toBe(outcome === '200 ok' ? 'keep-alive' : 'close');
  });
});
