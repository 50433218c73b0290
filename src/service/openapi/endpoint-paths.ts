import { refTo } from './schema-components.ts';

const JSON_OBJECT = { content: { 'application/json': { schema: { type: 'object' } } } } as const;

const RPC_ERROR = { content: { 'application/json': { schema: refTo('schemas', 'McpResponse') } } } as const;

/** Path items besides the operations: the MCP endpoint and the documents about the service. */
export const ENDPOINT_PATHS = {
  '/mcp': {
    post: {
      operationId: 'callMcp',
      summary: 'Call the MCP endpoint',
      description:
        'Takes one JSON-RPC message of the Model Context Protocol (Streamable HTTP, stateless) and answers it as plain JSON. Every operation of this API that moves or reads tokens is a tool there.',
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
        202: { description: 'A notification was taken.' },
        400: { description: 'The body is no JSON-RPC request.', ...RPC_ERROR },
        413: { description: 'The body is over the limit.', ...RPC_ERROR },
        415: { description: 'The body is not declared as application/json, or is compressed.', ...RPC_ERROR },
        429: { description: 'The allowance of this client address is used up.', ...RPC_ERROR },
        500: { description: 'The service failed.', ...RPC_ERROR },
      },
    },
    get: {
      operationId: 'describeMcp',
      summary: 'Describe the MCP endpoint',
      tags: ['MCP'],
      responses: {
        200: { description: 'What stands at the endpoint.', ...JSON_OBJECT },
        405: { description: 'The request asked for an event stream, which there is none of.', ...RPC_ERROR },
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
          description: 'It is.',
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
