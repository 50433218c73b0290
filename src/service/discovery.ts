import type { Route } from './front.ts';
import { LATEST_LEGACY_VERSION, SUPPORTED_VERSIONS } from './mcp/protocol.ts';
import type { ToolCatalogue, ToolDefinition } from './mcp/tools.ts';
import { originFor } from './request-head.ts';
import { SERVER_DESCRIPTION, SERVER_INFO, SERVER_TITLE } from './server-info.ts';

/**
 * Describes the endpoint to people and scripts (`GET /mcp`), with the members of the hosted API.
 *
 * @param origin without a trailing slash.
 */
export const describeEndpoint = (origin: string, tools: readonly ToolDefinition[]): object => ({
  ...describeDiscovery(origin, tools),
  transport: 'streamable-http',
  mode: 'stateless-json-response',
  methods: ['POST'],
  inspector: { transport: 'Streamable HTTP', url: `${origin}/mcp` },
});

/**
 * Describes the endpoint's location and transport in the format that scanners expect (`GET
 * /.well-known/mcp.json`).
 *
 * @param origin without a trailing slash.
 */
export function describeDiscovery(origin: string, tools: readonly ToolDefinition[]): object {
  return {
    ...SERVER_INFO,
    title: SERVER_TITLE,
    description: SERVER_DESCRIPTION,
    serverInfo: SERVER_INFO,
    protocolVersion: LATEST_LEGACY_VERSION,
    protocolVersions: SUPPORTED_VERSIONS,
    endpoint: `${origin}/mcp`,
    transport: {
      type: 'streamable-http',
      endpoint: `${origin}/mcp`,
      stateless: true,
      jsonResponse: true,
      methods: ['POST'],
    },
    remotes: describeRemotes(origin),
    discovery: `${origin}/.well-known/mcp.json`,
    serverCard: `${origin}/mcp/server-card`,
    documentationUrl: `${origin}/reference`,
    openApiUrl: `${origin}/doc`,
    capabilities: { tools: true, resources: false, prompts: false },
    tools: tools.map(({ name, description }) => ({ name, description })),
  };
}

/** Writes the MCP server card (SEP-2127) of `GET /mcp/server-card`. Its schema allows no tools. */
export function describeServerCard(origin: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reverseHostName(origin)}/${SERVER_INFO.name}`,
    version: SERVER_INFO.version,
    title: SERVER_TITLE,
    description: SERVER_DESCRIPTION,
    remotes: describeRemotes(origin),
  };
}

function describeRemotes(origin: string): object[] {
  return [{ type: 'streamable-http', url: `${origin}/mcp`, supportedProtocolVersions: SUPPORTED_VERSIONS }];
}

/** Returns the operator's name in reverse-DNS form, as cards require; `localhost` for an IP address. */
function reverseHostName(origin: string): string {
  const { hostname } = new URL(origin);
  return /^[a-z0-9.-]*[a-z][a-z0-9-]*$/.test(hostname)
    ? hostname.split('.').toReversed().join('.')
    : 'localhost';
}

/** SEP-2127: discovery documents are public, readable cross-origin and cached for an hour. */
const PUBLIC_HEADERS = ['access-control-allow-origin', '*', 'cache-control', 'public, max-age=3600'] as const;

/** Creates the routes of the documents that describe the endpoint to clients. */
export function createDiscoveryRoutes(
  tools: ToolCatalogue,
  publicOrigin: string | undefined,
): readonly Route[] {
  return [
    createDocumentRoute('/.well-known/mcp.json', 'application/json', publicOrigin, (origin) =>
      describeDiscovery(origin, tools.definitions),
    ),
    createDocumentRoute(
      '/mcp/server-card',
      'application/mcp-server-card+json',
      publicOrigin,
      describeServerCard,
    ),
  ];
}

function createDocumentRoute(
  path: string,
  contentType: string,
  publicOrigin: string | undefined,
  describe: (origin: string) => object,
): Route {
  return {
    path,
    methods: {
      GET: (context) =>
        context.answer({
          status: 200,
          body: JSON.stringify(describe(originFor(context.request, publicOrigin))),
          contentType,
          headers: PUBLIC_HEADERS,
        }),
    },
  };
}
