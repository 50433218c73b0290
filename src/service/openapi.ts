import type { JsonObject } from './input/json-object.ts';
import type { ObjectSchema } from './input/json-schema.ts';
import { scopeOf } from './auth/scopes.ts';
import { type PlacedOperation, REST_GROUPS } from './rest/rest-table.ts';
import { SERVER_DESCRIPTION, SERVER_INFO, SERVER_TITLE } from './server-info.ts';

const JSON_OBJECT = { content: { 'application/json': { schema: { type: 'object' } } } } as const;

const RPC_ERROR = { content: { 'application/json': { schema: refTo('schemas', 'McpResponse') } } } as const;

/** Path items other than operations: the MCP endpoint and the documents about the service. */
const ENDPOINT_PATHS = {
  '/mcp': {
    post: {
      operationId: 'callMcp',
      summary: 'Call the MCP endpoint',
      description:
        'Accepts one JSON-RPC message of the Model Context Protocol (Streamable HTTP, stateless) and responds with plain JSON. Every operation of this API that moves or reads tokens is also a tool of this endpoint.',
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
        429: { description: 'The rate limit of this client is reached.', ...RPC_ERROR },
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

/** General information for callers, in paragraphs. */
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
      'Makes the request safe to repeat. Within 24 hours, the same key with the same body returns the first response again (Idempotent-Replayed: true). The same key with another body returns 422, and 409 while the first request is in progress. Responses with status 5xx are not stored. Stored responses survive a restart if the service has a data folder, but not a reset of the ledger. The transaction in a repeated response may have expired: use a new key to build a new one.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  SlotFloor: {
    name: 'Ledger-Slot-Floor',
    in: 'header',
    required: false,
    description:
      'The header of an earlier response, such as mainnet.base=312345678. The answer is then not from an earlier slot, even if another replica of the service gives it.',
    schema: { type: 'string', maxLength: 1024 },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Id of the request in responses and in the log; by default the service creates one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
} as const;

const ROLLUP_TOKEN =
  "The caller's own token for the private rollup, from /v1/spl/challenge and /v1/spl/login. It is forwarded and never stored.";

/** The security schemes of a service that anyone may call. */
const OPEN_SCHEMES = { bearerAuth: { type: 'http', scheme: 'bearer', description: ROLLUP_TOKEN } } as const;

/** The security schemes of a service that authenticates its callers. */
const AUTHENTICATED_SCHEMES = {
  serviceAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, or an OAuth access token, for this service. Each operation lists a scope that permits it; a scope with the name of its tool does too.',
  },
  rollupAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'Rollup-Authorization',
    description: `${ROLLUP_TOKEN} Send it as "Bearer <token>".`,
  },
} as const;

/** Returns the path items other than operations. Documents about the service need no credentials. */
function endpointPaths(isAuthenticated: boolean): JsonObject {
  if (!isAuthenticated) return ENDPOINT_PATHS;
  const open = Object.entries(ENDPOINT_PATHS).filter(([path]) => path !== '/mcp');
  const documents = open.map(([path, { get }]) => [path, { get: { ...get, security: [] } }] as const);
  const { post, get } = ENDPOINT_PATHS['/mcp'];
  const responses = {
    ...post.responses,
    401: {
      description: 'The credentials are missing or not valid; WWW-Authenticate says why.',
      ...RPC_ERROR,
    },
    403: { description: 'The scopes of the credentials do not permit the tool.', ...RPC_ERROR },
    503: { description: 'The credentials cannot be checked for now.', ...RPC_ERROR },
  };
  return { '/mcp': { post: { ...post, responses }, get }, ...Object.fromEntries(documents) };
}

/**
 * Creates the OpenAPI 3.1 document of the service.
 *
 * @param publicOrigin public origin. Defaults to the origin that the document was read from.
 * @param isAuthenticated whether callers need an API key or access token for the service itself.
 * @param more the path items of other APIs at the same address.
 * @param moreSchemes the security schemes of these APIs.
 */
export function createOpenApiDocument(
  placed: readonly PlacedOperation[],
  publicOrigin: string | undefined,
  isAuthenticated = false,
  more: JsonObject = {},
  moreSchemes: JsonObject = {},
): JsonObject {
  const groups = REST_GROUPS.filter((group) => placed.some(({ place }) => place.group === group));
  return {
    openapi: '3.1.0',
    info: { title: SERVER_TITLE, version: SERVER_INFO.version, description: SERVICE_DESCRIPTION },
    servers: [{ url: publicOrigin?.replace(/\/+$/, '') ?? '/' }],
    security: isAuthenticated ? [{ serviceAuth: [] }] : [],
    tags: [...groups, ...tagsOf(more), 'MCP', 'Service'].map((name) => ({ name })),
    paths: {
      ...createOperationPaths(placed, isAuthenticated),
      ...more,
      ...endpointPaths(isAuthenticated),
    },
    components: {
      schemas: createSchemaComponents(placed),
      responses: createErrorComponents(),
      parameters: PARAMETERS,
      securitySchemes: { ...(isAuthenticated ? AUTHENTICATED_SCHEMES : OPEN_SCHEMES), ...moreSchemes },
    },
  };
}

/** A parameter of an operation of an OpenAPI path item. */
export interface PathParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonObject;
}

/** An operation of an OpenAPI path item. */
interface PathOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly JsonObject[];
  readonly parameters?: readonly PathParameter[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<string, JsonObject>>;
}

/** Lists the operations of OpenAPI path items. */
export const listPathOperations = (paths: JsonObject) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, PathOperation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

/** Returns the tags of path items, in order of appearance. */
export const tagsOf = (paths: JsonObject): readonly string[] => [
  ...new Set(listPathOperations(paths).flatMap(({ operation }) => operation.tags)),
];

const WALLET = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const OTHER_WALLET = 'Bt9oNR5cCtnfuMmXgWELd6q5i974PdEMQDUE55nBC57L';

/** USDC on mainnet, which also exists on localnet. */
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Wrapped SOL. */
const SOL = 'So11111111111111111111111111111111111111112';

/**
 * A transaction with a single memo, `Hello`. It is signed with the secret key of test 1 in RFC 8032 section
 * 7.1, because only signed transactions can be sent. No ledger accepts its blockhash.
 */
const TRANSACTION =
  'Ac2TCXWpHi+cyXV4jA2u11u/SsDAvGNdA9HKD8Bux/ag1YHWhohMiKznc79g7J8cwNYPaBisTzqXGov8ig/mJg4BAAEC11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURoFSlNamSkhBk0k6HFg2jh8fDW13bySu4HkH6hAQQVEjQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHAQEABUhlbGxv';

/** Sample values by member name. */
const SAMPLES: JsonObject = {
  owner: WALLET,
  from: WALLET,
  to: OTHER_WALLET,
  payer: WALLET,
  authority: WALLET,
  address: WALLET,
  pubkey: WALLET,
  wallet: WALLET,
  userPublicKey: WALLET,
  mint: MINT,
  inputMint: SOL,
  outputMint: MINT,
  quoteResponse: {
    inputMint: SOL,
    inAmount: '1000000',
    outputMint: MINT,
    outAmount: '100000',
    otherAmountThreshold: '100000',
    swapMode: 'ExactIn',
    slippageBps: 50,
    routePlan: [{ swapInfo: { label: 'localnet desk' }, percent: 100 }],
  },
  amount: 1_000_000,
  destinations: [OTHER_WALLET],
  handle: 'alice@example.com',
  transactionBase64: TRANSACTION,
  challenge: `Login to Query Filtering Service\nTimestamp: 1767225600\nUser: ${WALLET}`,
  signature: '1'.repeat(64),
};

/**
 * Composes an example input from an operation's required members. Each value is the schema's example, its
 * only or first allowed value, the sample for its name, or its default. Returns undefined if a member has
 * none of these.
 */
export function composeExampleInput({ properties, required }: ObjectSchema): JsonObject | undefined {
  const members = required.map((name) => [name, exampleOf(name, properties[name] ?? {})] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function exampleOf(name: string, schema: JsonObject): unknown {
  const { examples, enum: choices, const: only, default: usual } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0];
  return Object.hasOwn(SAMPLES, name) ? SAMPLES[name] : usual;
}

function createOperationPaths(placed: readonly PlacedOperation[], isAuthenticated: boolean): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const each of placed) {
    const { path, method } = each.place;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(each, isAuthenticated) };
  }
  return paths;
}

function describeOperation({ place, served }: PlacedOperation, isAuthenticated: boolean): JsonObject {
  const { name, title, description, effect } = served.operation;
  const hasBody = place.method === 'POST';
  return {
    operationId: name,
    summary: title,
    description,
    tags: [place.group],
    ...describeSecurity(place.token, isAuthenticated ? [scopeOf(effect)] : null),
    ...(hasBody ? describeBody(served, place.isSecret === true) : { parameters: describeQuery(served) }),
    ...(served.price && { 'x-payment-info': served.price.info }),
    responses: {
      ...(served.price && { 402: { description: 'Payment required. The headers contain the terms.' } }),
      200: {
        description: 'The result.',
        headers: {
          'X-Request-Id': { schema: { type: 'string' } },
          'Ledger-Slot-Floor': { schema: { type: 'string' } },
        },
        content: {
          'application/json': {
            schema: refTo('schemas', responseSchemaName(name)),
          },
        },
      },
      ...listErrorResponses(hasBody),
    },
  };
}

/** @param scopes scopes of the service that permit the operation; null if anyone may call it. */
function describeSecurity(
  token: 'required' | 'optional' | undefined,
  scopes: readonly string[] | null,
): JsonObject {
  if (scopes === null) {
    if (token === undefined) return {};
    return { security: token === 'required' ? [{ bearerAuth: [] }] : [{ bearerAuth: [] }, {}] };
  }
  const service = { serviceAuth: scopes };
  const both = { ...service, rollupAuth: [] };
  if (token === undefined) return { security: [service] };
  return { security: token === 'required' ? [both] : [both, service] };
}

function describeBody(served: PlacedOperation['served'], isSecret: boolean): JsonObject {
  const example = composeExampleInput(served.inputSchema);
  return {
    parameters: [
      ...(isSecret ? [] : [refTo('parameters', 'IdempotencyKey')]),
      refTo('parameters', 'SlotFloor'),
      refTo('parameters', 'RequestId'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refTo('schemas', requestSchemaName(served.operation.name)),
          ...(example === undefined ? {} : { example }),
        },
      },
    },
  };
}

function describeQuery({ inputSchema }: PlacedOperation['served']): readonly JsonObject[] {
  const examples = composeExampleInput(inputSchema) ?? {};
  const describeParameter = ([name, { description, ...schema }]: [string, JsonObject]): JsonObject => ({
    name,
    in: 'query',
    required: inputSchema.required.includes(name),
    description,
    schema,
    ...(Object.hasOwn(examples, name) ? { example: examples[name] } : {}),
  });
  return [
    ...Object.entries(inputSchema.properties).map(describeParameter),
    refTo('parameters', 'SlotFloor'),
    refTo('parameters', 'RequestId'),
  ];
}

/** JSON-RPC ids, as in contract 2.1. */
const MESSAGE_ID = { type: ['string', 'number', 'null'] } as const;

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
    code: { type: 'string', description: 'Stable error code, for programs.' },
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

/** Creates the document's schemas by name: the inputs and outputs of all operations and shared schemas. */
function createSchemaComponents(placed: readonly PlacedOperation[]): JsonObject {
  const schemas: [string, JsonObject][] = [];
  for (const { place, served } of placed) {
    const { name } = served.operation;
    if (place.method === 'POST') schemas.push([requestSchemaName(name), served.inputSchema]);
    schemas.push([responseSchemaName(name), served.outputSchema]);
  }
  const own = schemas.map(([name, schema]) => [name, rebase(schema, name)] as const);
  return { ...Object.fromEntries(own), Problem, McpRequest, McpResponse };
}

function requestSchemaName(operationName: string): string {
  return `${capitalize(operationName)}Request`;
}

/** Returns the name of an operation's output schema. */
export function responseSchemaName(operationName: string): string {
  return `${capitalize(operationName)}Response`;
}

function refTo(kind: 'schemas' | 'responses' | 'parameters', name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Rewrites the references of a schema to start at the document's root instead of its own. */
function rebase(schema: JsonObject, name: string): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"#/components/schemas/${name}`);
  return JSON.parse(text) as JsonObject;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The statuses of failures, with their meaning for every operation. */
const MEANINGS = {
  400: ['BadRequest', 'The request cannot be fulfilled; code says why.'],
  401: [
    'Unauthorized',
    'The rollup did not accept the login, or the service did not accept the credentials.',
  ],
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
  422: ['UnprocessableContent', 'A field is missing, unknown or not valid; errors lists each.'],
  429: ['TooManyRequests', 'The rate limit of this client is reached; Retry-After says when to try again.'],
  500: ['InternalServerError', 'The service failed; look up the requestId in its log.'],
  502: ['BadGateway', 'The cluster could not be reached, or its answer cannot be used.'],
  503: ['ServiceUnavailable', 'The service is busy; Retry-After says when to try again.'],
  504: ['GatewayTimeout', 'The cluster did not answer in time.'],
} as const;

const BODY_STATUSES: ReadonlySet<string> = new Set(['413', '415']);

function createErrorComponents(): JsonObject {
  return Object.fromEntries(
    Object.values(MEANINGS).map(([name, description]) => [
      name,
      { description, content: { 'application/problem+json': { schema: refTo('schemas', 'Problem') } } },
    ]),
  );
}

/** Lists references to an operation's possible failures, by status. */
function listErrorResponses(hasBody: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(MEANINGS)
      .filter(([status]) => hasBody || !BODY_STATUSES.has(status))
      .map(([status, [name]]) => [status, refTo('responses', name)]),
  );
}
