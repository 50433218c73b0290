import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The official client with both eras of MCP. It validates structured results against the output schemas. */
export const clients = [
  { name: 'official 2025-11-25', connect: (endpoint) => connect(endpoint, {}, '2025-11-25') },
  {
    name: 'official 2026-07-28',
    connect: (endpoint) => connect(endpoint, { versionNegotiation: { mode: 'auto' } }, '2026-07-28'),
  },
];

async function connect(endpoint, options, expectedVersion) {
  const client = new Client({ name: 'clients', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  const version = client.getNegotiatedProtocolVersion();
  if (version !== expectedVersion) throw new Error(`settled on ${version} in place of ${expectedVersion}`);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}
