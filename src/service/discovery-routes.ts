import { describeDiscovery, describeServerCard } from './descriptions.ts';
import type { ToolCatalogue } from './mcp/tool-catalogue.ts';
import { originFor } from './public-origin.ts';
import type { Route } from './route-table.ts';

/** SEP-2127 wants discovery documents public, readable cross-origin and cached for an hour. */
const PUBLIC_HEADERS = ['access-control-allow-origin', '*', 'cache-control', 'public, max-age=3600'] as const;

/** The documents by which a client discovers the endpoint. */
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
