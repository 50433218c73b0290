import type { JsonObject } from '../input/json-object.ts';
import type { PlacedOperation } from '../rest/rest-table.ts';

/** JSON-RPC ids, as in contract 2.1. */
const MESSAGE_ID = { type: ['string', 'number', 'null'] } as const;

/** A JSON-RPC message from an MCP client. */
const McpRequest = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { ...MESSAGE_ID, description: 'Omitted by notifications.' },
    method: { type: 'string', description: 'An MCP method, such as initialize, tools/list or tools/call.' },
    params: { description: 'Depends on the method.' },
  },
  required: ['jsonrpc', 'method'],
} as const;

/** The JSON-RPC answer to it. */
const McpResponse = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { ...MESSAGE_ID, description: 'The id of the request; null if it could not be read.' },
    result: { description: 'The result of the method, if it succeeded.' },
    error: {
      type: 'object',
      properties: { code: { type: 'number' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
  },
  required: ['jsonrpc'],
} as const;

/** RFC 9457 problem details with this service's extension members. */
const Problem = {
  type: 'object',
  description: 'Problem details (RFC 9457); error repeats them in the format of the hosted API.',
  properties: {
    type: { type: 'string', description: 'URL that explains the code, or about:blank.' },
    title: { type: 'string', description: 'The code in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What happened and what to change.' },
    instance: { type: 'string', description: 'Identifies this occurrence: path and request id.' },
    code: { type: 'string', description: 'Stable, for programs.' },
    requestId: { type: 'string', description: 'The id of the request in the log of the service.' },
    errors: {
      type: 'array',
      description: 'The invalid fields.',
      items: {
        type: 'object',
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer to the field, as a URI fragment.' },
          message: { type: 'string' },
        },
        required: ['pointer', 'message'],
      },
    },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        details: { type: 'object' },
        issues: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              code: { type: 'string' },
              message: { type: 'string' },
              path: { type: 'array', items: { type: ['string', 'integer'] } },
            },
            required: ['code', 'message', 'path'],
          },
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'error'],
} as const;

/** The schemas of the document by name: the inputs and outputs of all operations, and the shared ones. */
export function createSchemaComponents(placed: readonly PlacedOperation[]): JsonObject {
  const schemas: [string, JsonObject][] = [];
  for (const { place, served } of placed) {
    const { name } = served.operation;
    if (place.method === 'POST') schemas.push([requestSchemaName(name), served.inputSchema]);
    schemas.push([responseSchemaName(name), served.outputSchema]);
  }
  const own = schemas.map(([name, schema]) => [name, rebase(schema, name)] as const);
  return { ...Object.fromEntries(own), Problem, McpRequest, McpResponse };
}

/** The name of an operation's input schema. */
export function requestSchemaName(operationName: string): string {
  return `${capitalize(operationName)}Request`;
}

/** The name of an operation's output schema. */
export function responseSchemaName(operationName: string): string {
  return `${capitalize(operationName)}Response`;
}

/** A reference to a component. */
export function refTo(kind: 'schemas' | 'responses' | 'parameters', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Makes references inside a schema, which start at its own root, start at the root of the document. */
function rebase(schema: JsonObject, name: string): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"#/components/schemas/${name}`);
  return JSON.parse(text) as JsonObject;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The statuses of failures and their meaning for any operation. */
const MEANINGS = {
  400: ['BadRequest', 'The request cannot be fulfilled; code says why.'],
  401: ['Unauthorized', 'The rollup did not accept the login.'],
  403: [
    'Forbidden',
    'The wallet of the bearer token is not allowed to read this, or the operator does not allow the Host or Origin of the request.',
  ],
  409: [
    'Conflict',
    'The state of an account, or another request with the same Idempotency-Key, prevents it.',
  ],
  413: ['PayloadTooLarge', 'The body is over the limit.'],
  415: ['UnsupportedMediaType', 'The body is not declared as application/json, or is compressed.'],
  422: ['UnprocessableContent', 'A field is missing, unknown or not valid; errors names each.'],
  429: [
    'TooManyRequests',
    'The rate limit of this client address is reached; Retry-After says when to try again.',
  ],
  500: ['InternalServerError', 'The service failed; its log has more under the requestId.'],
  502: ['BadGateway', 'The cluster could not be reached, or its answer cannot be used.'],
  503: ['ServiceUnavailable', 'The service is busy; Retry-After says when to try again.'],
  504: ['GatewayTimeout', 'The cluster did not answer in time.'],
} as const;

const BODY_STATUSES: ReadonlySet<string> = new Set(['413', '415']);

/** Failures as response components with a problem details body. */
export function createErrorComponents(): JsonObject {
  return Object.fromEntries(
    Object.values(MEANINGS).map(([name, description]) => [
      name,
      { description, content: { 'application/problem+json': { schema: refTo('schemas', 'Problem') } } },
    ]),
  );
}

/** References to the failures an operation may answer with, by status. */
export function listErrorResponses(hasBody: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(MEANINGS)
      .filter(([status]) => hasBody || !BODY_STATUSES.has(status))
      .map(([status, [name]]) => [status, refTo('responses', name)]),
  );
}
