import type { Route } from '../front.ts';
import { originFor } from '../request-head.ts';
import { SERVER_TITLE } from '../server-info.ts';
import { SCOPES } from './scopes.ts';

/** The well-known path of RFC 9728 section 3. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The path of the MCP endpoint, which is a separate resource. */
const MCP_PATH = '/mcp';

/** Returns the path of the metadata of the resource at `path`. */
export const metadataPathFor = (path: string): string =>
  path === MCP_PATH || path === `${MCP_PATH}/` ? METADATA_PATH + MCP_PATH : METADATA_PATH;

/** Creates the routes for the metadata of the two resources: the MCP endpoint and the whole service. */
export function createMetadataRoutes(issuer: string, publicOrigin: string | undefined): readonly Route[] {
  return ['', MCP_PATH].map((path) => ({
    path: METADATA_PATH + path,
    methods: {
      GET: (context) => {
        const origin = originFor(context.request, publicOrigin);
        context.answer({
          status: 200,
          body: JSON.stringify(describeResource(origin, path, issuer)),
          contentType: 'application/json',
          headers: ['access-control-allow-origin', '*', 'cache-control', 'public, max-age=300'],
        });
      },
    },
  }));
}

/** Writes protected resource metadata (RFC 9728 section 2). `resource` matches the URL of the document. */
function describeResource(origin: string, path: string, issuer: string): object {
  return {
    resource: origin + path,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: SERVER_TITLE,
    resource_documentation: `${origin}/reference`,
  };
}
