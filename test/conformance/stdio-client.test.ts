import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { programOfSource } from '../../src/cli/testing/source-program.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const SERVER = programOfSource(fileURLToPath(new URL('stdio-fixture.ts', import.meta.url)));

describe('the official client over stdio', () => {
  it.each<readonly [string, ClientOptions, string]>([
    ['legacy', {}, '2025-11-25'],
    ['auto', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
    ['pinned to 2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ])('%s: lists and calls the tools', async (_name, options, version) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER] }));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['spl.build', 'spl.read', 'spl.refuse', 'spl.break']);
    const built = await client.callTool({ name: 'spl.build', arguments: { owner: OWNER, amount: 5 } });
    expect(built.structuredContent).toEqual({ kind: 'build', amount: '5', requiredSigners: [OWNER] });
    expect(await client.callTool({ name: 'spl.refuse', arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  });
});
