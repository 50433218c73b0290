import type { JsonObject } from '../input/json-object.ts';
import { type PlacedOperation, REST_GROUPS } from '../rest/rest-table.ts';
import { SERVER_DESCRIPTION, SERVER_INFO, SERVER_TITLE } from '../server-info.ts';
import { createOperationPaths } from './operation-paths.ts';
import { createErrorComponents, createSchemaComponents, refTo } from './schema-components.ts';

const JSON_OBJECT = { content: { 'application/json': { schema: { type: 'object' } } } } as const;

const RPC_ERROR = { content: { 'application/json': { schema: refTo('schemas', 'McpResponse') } } } as const;

/** Path items other than operations: the MCP endpoint and the documents about the service. */
const ENDPOINT_PATHS = {
  '/mcp': {
    post: {
      operationId: 'callMcp',
      summary: 'Call the MCP endpoint',
      description:
        'Takes one JSON-RPC message of the Model Context Protocol (Streamable HTTP, stateless) and responds with plain JSON. Every operation of this API that moves or reads tokens is a tool there.',
      tags: ['MCP'],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refTo('schemas', 'McpRequest'),
            example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          },
        },
      },
      responses: {
        200: { description: 'The JSON-RPC response.', ...RPC_ERROR },
        202: { description: 'The notification was accepted.' },
        400: { description: 'The body is not a JSON-RPC request.', ...RPC_ERROR },
        413: { description: 'The body is over the limit.', ...RPC_ERROR },
        415: { description: 'The body is not declared as application/json, or is compressed.', ...RPC_ERROR },
        429: { description: 'The rate limit of this client address is reached.', ...RPC_ERROR },
        500: { description: 'The service failed.', ...RPC_ERROR },
      },
    },
    get: {
      operationId: 'describeMcp',
      summary: 'Describe the MCP endpoint',
      tags: ['MCP'],
      responses: {
        200: { description: 'Describes the endpoint.', ...JSON_OBJECT },
        405: {
          description: 'The request asked for an event stream, which this endpoint does not have.',
          ...RPC_ERROR,
        },
      },
    },
  },
  '/.well-known/mcp.json': {
    get: {
      operationId: 'discoverMcp',
      summary: 'Find the MCP endpoint',
      tags: ['MCP'],
      responses: { 200: { description: 'The discovery document.', ...JSON_OBJECT } },
    },
  },
  '/health': {
    get: {
      operationId: 'checkHealth',
      summary: 'Check that the service is up',
      tags: ['Service'],
      responses: {
        200: {
          description: 'The service is up.',
          content: {
            'text/plain': { schema: { type: 'string', const: 'ok' } },
            'application/json': {
              schema: {
                type: 'object',
                properties: { status: { type: 'string', const: 'ok' } },
                required: ['status'],
                additionalProperties: false,
              },
            },
          },
        },
      },
    },
  },
} as const;

/** What callers of all operations need to know, in paragraphs. */
export const SERVICE_DESCRIPTION = [
  SERVER_DESCRIPTION,
  'A built transaction is unsigned and has not been sent: sign it with every key in `requiredSigners` and send it to the network that `sendTo` names, before `lastValidBlockHeight`.',
  "Amounts are in the mint's base units (1 USDC = 1000000): integers up to 2^53-1, or decimal strings up to 2^64-1. Addresses are base58. No request ever needs a secret key.",
].join('\n\n');

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat: within 24 hours the same key with the same body returns the first response again (Idempotent-Replayed: true), with another body 422, and 409 while the first request is in progress. Responses with status 5xx are not stored; a restart forgets all. A repeated transaction may have expired: a new one needs a new key.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Id of the request in responses and in the log; by default the service creates one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
} as const;

/**
 * Creates the OpenAPI 3.1 document of the service.
 *
 * @param publicOrigin public origin; default the one the document was read from.
 */
export function createOpenApiDocument(
  placed: readonly PlacedOperation[],
  publicOrigin: string | undefined,
): JsonObject {
  const groups = REST_GROUPS.filter((group) => placed.some(({ place }) => place.group === group));
  return {
    openapi: '3.1.0',
    info: { title: SERVER_TITLE, version: SERVER_INFO.version, description: SERVICE_DESCRIPTION },
    servers: [{ url: publicOrigin?.replace(/\/+$/, '') ?? '/' }],
    security: [],
    tags: [...groups, 'MCP', 'Service'].map((name) => ({ name })),
    paths: { ...createOperationPaths(placed), ...ENDPOINT_PATHS },
    components: {
      schemas: createSchemaComponents(placed),
      responses: createErrorComponents(),
      parameters: PARAMETERS,
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description:
            "The caller's own token for the private rollup, from /v1/spl/challenge and /v1/spl/login. It is forwarded and never stored.",
        },
      },
    },
  };
}
