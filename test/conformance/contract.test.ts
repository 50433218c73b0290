import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { HttpClient } from './http-client.ts';
import { rpcOf } from './rpc-answer.ts';
import { startService } from './running-service.ts';

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

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' };

describe('the errors of the contract, byte for byte', () => {
  it.each([
    [
      'Parse error',
      '{"jsonrpc":',
      JSON_ONLY,
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ],
    [
      'Invalid Request',
      '{}',
      JSON_ONLY,
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}',
    ],
    [
      'Unsupported Media Type',
      '{}',
      { 'content-type': 'text/plain' },
      415,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Unsupported Media Type: Content-Type must be application/json"}}',
    ],
  ])('%s', async (_name, body, headers: Record<string, string>, status, text) => {
    const answer = await client.ask({ body, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toBe(text);
  });

  it('Internal server error', async () => {
    const broken = await startService({
      hostGuard: () => {
        throw new Error('a bug');
      },
    });
    const answer = await fetch(`${broken.url}/mcp`, { method: 'POST', headers: JSON_ONLY, body: '{}' });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.text()).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal server error"}}',
    );
    await broken.close();
  });
});

describe('the flow of the contract', () => {
  it('answers initialize with its own name and version', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'curl', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params });
    const answer = await client.ask({ headers: JSON_ONLY, body });
    expect(rpcOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: 'init',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'spl-private-payments-api', version: '0.1.0' },
        instructions: expect.any(String) as unknown,
      },
    });
  });

  it('answers notifications/initialized with 202 and no body', async () => {
    const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const answer = await client.ask({ headers: JSON_ONLY, body });
    expect(answer).toMatchObject({ status: 202, text: '', headers: { 'content-length': '0' } });
    expect(answer.headers).not.toHaveProperty('content-type');
  });

  it('answers tools/call with one text block for each sentence, and the structured result twice', async () => {
    const args = { owner: '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE', amount: '18446744073709551615' };
    const params = { name: 'spl.build', arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    const answer = await client.ask({ headers: JSON_ONLY, body });
    const structuredContent = { kind: 'build', amount: args.amount, requiredSigners: [args.owner] };
    expect(rpcOf(answer).result).toEqual({
      content: [
        { type: 'text', text: 'Built something unsigned.' },
        { type: 'text', text: 'It moves 18446744073709551615 base units.' },
        { type: 'text', text: JSON.stringify(structuredContent) },
      ],
      structuredContent,
    });
  });
});
