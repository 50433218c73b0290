import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { type Answer, HttpClient } from './http-client.ts';
import { rpcOf, summarize } from './rpc-answer.ts';
import { startService } from './running-service.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const SERVER_META = {
  'io.modelcontextprotocol/serverInfo': { name: 'spl-private-payments-api', version: '0.1.0' },
};

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

interface Changes {
  readonly meta?: Record<string, unknown> | undefined;
  readonly params?: Record<string, unknown>;
  /** Headers to add or, with undefined, to leave out. */
  readonly headers?: Record<string, string | undefined>;
}

/** Sends a request of the modern era that is correct but for `changes`. */
function ask(method: string, changes: Changes = {}): Promise<Answer> {
  const params = { ...changes.params, _meta: 'meta' in changes ? changes.meta : META };
  const named = typeof changes.params?.['name'] === 'string' ? { 'mcp-name': changes.params['name'] } : {};
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...named,
    ...changes.headers,
  };
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return client.ask({
    headers: Object.fromEntries(kept),
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
}

function without(key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(META).filter(([name]) => !name.endsWith(key)));
}

describe('methods of the modern era', () => {
  it('server/discover describes the server', async () => {
    const answer = await ask('server/discover');
    expect(answer.status).toBe(200);
    expect(rpcOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        resultType: 'complete',
        _meta: SERVER_META,
        supportedVersions: [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
        capabilities: { tools: {} },
        instructions: expect.any(String) as unknown,
        ttlMs: 300_000,
        cacheScope: 'public',
      },
    });
  });

  it('tools/list returns the same list as in the legacy era, and how long it may be cached', async () => {
    const { result } = rpcOf(await ask('tools/list'));
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const legacy = rpcOf(await client.ask({ headers: { 'content-type': 'application/json' }, body })).result;
    const frame = { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public', _meta: SERVER_META };
    expect(result).toEqual({ ...legacy, ...frame });
  });

  it('tools/call marks its result as complete', async () => {
    const { result } = rpcOf(await ask('tools/call', { params: { name: 'spl.read' } }));
    expect(result).toEqual({
      resultType: 'complete',
      _meta: SERVER_META,
      content: [
        { type: 'text', text: 'Fetched the balance.' },
        { type: 'text', text: '{"balance":"7"}' },
      ],
      structuredContent: { balance: '7' },
    });
  });

  it.each([
    ['a failing tool', 'tools/call', { name: 'spl.refuse' }, '200 isError'],
    ['an unknown tool', 'tools/call', { name: 'spl.steal' }, '200 -32602'],
    ['no tool', 'tools/call', {}, '200 -32602'],
    ['a cursor', 'tools/list', { cursor: 'x' }, '200 -32602'],
    ['an unknown method', 'nothing/here', {}, '404 -32601'],
    ['initialize', 'initialize', { protocolVersion: VERSION }, '404 -32601'],
    ['ping', 'ping', {}, '404 -32601'],
    ['subscriptions/listen', 'subscriptions/listen', {}, '404 -32601'],
  ])('%s', async (_name, method, params, outcome) => {
    const answer = await ask(method, { params });
    expect(summarize(answer)).toBe(outcome);
    expect(rpcOf(answer).id).toBe(7);
  });
});

describe('required members of every request of the modern era', () => {
  const call = { name: 'spl.read' };
  const other = '2027-01-01';
  it.each<readonly [string, string, Changes, string]>([
    ['no _meta', 'tools/list', { meta: undefined }, '400 -32602'],
    ['_meta without version', 'tools/list', { meta: without('protocolVersion') }, '400 -32602'],
    ['_meta without capabilities', 'tools/list', { meta: without('clientCapabilities') }, '400 -32602'],
    ['_meta without client info', 'tools/list', { meta: without('clientInfo') }, '200 ok'],
    [
      'a version that is a number',
      'tools/list',
      { meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 1 } },
      '400 -32602',
    ],
    [
      'capabilities that are a list',
      'tools/list',
      { meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': [] } },
      '400 -32602',
    ],
    ['no version header', 'tools/list', { headers: { 'mcp-protocol-version': undefined } }, '400 -32020'],
    [
      'a legacy version header',
      'tools/list',
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
      '400 -32020',
    ],
    ['an unknown version header', 'tools/list', { headers: { 'mcp-protocol-version': other } }, '400 -32020'],
    ['no method header', 'tools/list', { headers: { 'mcp-method': undefined } }, '400 -32020'],
    ['another method in the header', 'tools/list', { headers: { 'mcp-method': 'tools/call' } }, '400 -32020'],
    ['the method in capitals', 'tools/list', { headers: { 'mcp-method': 'TOOLS/LIST' } }, '400 -32020'],
    ['no name header', 'tools/call', { params: call, headers: { 'mcp-name': undefined } }, '400 -32020'],
    [
      'another name in the header',
      'tools/call',
      { params: call, headers: { 'mcp-name': 'spl.build' } },
      '400 -32020',
    ],
    [
      'white space around the name',
      'tools/call',
      { params: call, headers: { 'mcp-name': '  spl.read ' } },
      '200 ok',
    ],
    [
      'the name in Base64',
      'tools/call',
      { params: call, headers: { 'mcp-name': '=?base64?c3BsLnJlYWQ=?=' } },
      '200 ok',
    ],
    [
      'another name in Base64',
      'tools/call',
      { params: call, headers: { 'mcp-name': '=?base64?c3BsLnJlYWQx?=' } },
      '400 -32020',
    ],
    ['only Accept application/json', 'tools/list', { headers: { accept: 'application/json' } }, '200 ok'],
    ['a session id, ignored', 'tools/list', { headers: { 'mcp-session-id': 'x' } }, '200 ok'],
  ])('%s', async (_name, method, changes, outcome) => {
    const answer = await ask(method, changes);
    expect(summarize(answer)).toBe(outcome);
    expect(rpcOf(answer).id).toBe(7);
  });

  it('lists the supported versions if the requested one is not supported', async () => {
    const answer = await ask('tools/list', {
      meta: { ...META, 'io.modelcontextprotocol/protocolVersion': other },
      headers: { 'mcp-protocol-version': other },
    });
    expect(summarize(answer)).toBe('400 -32022');
    expect(rpcOf(answer).error?.data).toEqual({
      supported: [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'],
      requested: other,
    });
  });

  it('accepts notifications regardless of their content', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: META } };
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': VERSION };
    const answer = await client.ask({ headers, body: JSON.stringify(notification) });
    expect(summarize(answer)).toBe('202');
  });
});
