import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostGuard } from '../../src/http/host-guard.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { startService } from './running-service.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';

let server: HttpServer;
let asked: string[];

beforeEach(async () => {
  const guard = createHostGuard({ boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });
  asked = [];
  server = await startService({
    hostGuard: (request) => {
      asked.push(request.method ?? '');
      return guard(request);
    },
  });
});

afterEach(() => server.close());

async function connect(options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  return client;
}

describe('the official client', () => {
  it.each<readonly [string, ClientOptions, string]>([
    ['legacy', {}, '2025-11-25'],
    ['auto', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
    ['pinned to 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ])('%s: lists and calls the tools', async (_name, options, version) => {
    const client = await connect(options);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'spl-private-payments-api', version: '0.1.0' });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['spl.build', 'spl.read', 'spl.refuse', 'spl.break']);
    const built = await client.callTool({ name: 'spl.build', arguments: { owner: OWNER, amount: 5 } });
    expect(built.structuredContent).toEqual({ kind: 'build', amount: '5', requiredSigners: [OWNER] });
    const refused = await client.callTool({ name: 'spl.refuse', arguments: {} });
    expect(refused.isError).toBe(true);
    await expect(client.callTool({ name: 'spl.steal', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await client.close();
  });

  it('requests an event stream once and accepts the refusal', async () => {
    const client = await connect({});
    await client.listTools();
    // A client that took the answer for a broken stream would ask again after one second.
    await delay(1_500);
    expect(asked.filter((method) => method === 'GET')).toHaveLength(1);
    await client.close();
  });
});
