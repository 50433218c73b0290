import { describe, expect, it } from 'vitest';
import { describeDiscovery, describeEndpoint, describeServerCard } from './discovery.ts';

const ORIGIN = 'https://pay.example.com';
const TOOLS = [{ name: 'spl.read', description: 'Reads.', inputSchema: {} }];
const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

describe('the documents about the endpoint', () => {
  it('describe its location, its transport and its tools', () => {
    expect(describeDiscovery(ORIGIN, TOOLS)).toMatchObject({
      name: 'spl-private-payments-api',
      serverInfo: { name: 'spl-private-payments-api', version: '0.1.0' },
      protocolVersion: '2025-11-25',
      endpoint: 'https://pay.example.com/mcp',
      transport: { type: 'streamable-http', stateless: true, jsonResponse: true, methods: ['POST'] },
      remotes: [
        { type: 'streamable-http', url: 'https://pay.example.com/mcp', supportedProtocolVersions: VERSIONS },
      ],
      serverCard: 'https://pay.example.com/mcp/server-card',
      documentationUrl: 'https://pay.example.com/reference',
      openApiUrl: 'https://pay.example.com/doc',
      tools: [{ name: 'spl.read', description: 'Reads.' }],
    });
  });

  it('have the members of the hosted API at the endpoint itself', () => {
    expect(describeEndpoint(ORIGIN, TOOLS)).toMatchObject({
      transport: 'streamable-http',
      mode: 'stateless-json-response',
      endpoint: 'https://pay.example.com/mcp',
      discovery: 'https://pay.example.com/.well-known/mcp.json',
      methods: ['POST'],
      inspector: { transport: 'Streamable HTTP', url: 'https://pay.example.com/mcp' },
      tools: [{ name: 'spl.read', description: 'Reads.' }],
    });
  });

  it('include a server card with exactly the members of its schema', () => {
    const card = describeServerCard(ORIGIN);
    expect(Object.keys(card)).toEqual(['$schema', 'name', 'version', 'title', 'description', 'remotes']);
    expect(card).toMatchObject({ description: expect.stringMatching(/^.{1,100}$/) as unknown });
  });

  it.each([
    ['https://pay.example.com', 'com.example.pay'],
    ['http://localhost:8787', 'localhost'],
    ['http://127.0.0.1:8787', 'localhost'],
    ['http://[::1]:8787', 'localhost'],
  ])('put the card of %s under the name %s', (origin, namespace) => {
    expect(describeServerCard(origin)).toMatchObject({ name: `${namespace}/spl-private-payments-api` });
  });
});
