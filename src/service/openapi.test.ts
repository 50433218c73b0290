import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startService } from '../../test/conformance/running-service.ts';
import { SERVED_OPERATIONS } from '../../test/conformance/served-operations.ts';
import type { HttpServer } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import type { JsonObject } from './input/json-object.ts';
import { createOpenApiDocument } from './openapi.ts';
import { type PlacedOperation, placeOperations } from './rest/rest-table.ts';
import { OperationGate, type ServedOperation, serveOperation } from './served-operation.ts';

/** A node of the document. Missing members are undefined at any depth. */
interface Node {
  readonly [member: string]: Node | undefined;
}

/** Operations whose examples succeed on any chain that has the mint. */
const CAN_ALWAYS = new Set(['deposit', 'getBalance']);

const gate = new OperationGate();
const placed = placeOperations(SERVED_OPERATIONS.map((operation) => serveOperation(operation, gate)));
const byName = placed.map((each) => [each.served.operation.name, each] as const);
const document = JSON.parse(JSON.stringify(createOpenApiDocument(placed, undefined))) as Node;

/** The target of a reference in the document; any other node is returned unchanged. */
function resolve(node: Node | undefined): Node | undefined {
  const reference = node?.['$ref'] as string | undefined;
  return reference === undefined
    ? node
    : reference
        .split('/')
        .slice(1)
        .reduce<Node | undefined>((at, step) => at?.[step], document);
}

function operationOf({ place: { path, method } }: PlacedOperation): Node | undefined {
  return document['paths']?.[path]?.[method.toLowerCase()];
}

/** The example input of an operation, wherever the document has it. */
function exampleOf(operation: Node | undefined): JsonObject {
  const body = operation?.['requestBody']?.['content']?.['application/json'];
  if (body !== undefined) return body['example'] as JsonObject;
  const parameters = operation?.['parameters'] as unknown as readonly JsonObject[];
  return Object.fromEntries(
    parameters
      .filter(({ example }) => example !== undefined)
      .map(({ name, example }) => [String(name), example]),
  );
}

function listReferences(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [member as string] : listReferences(member),
  );
}

function accepts(schema: unknown, value: unknown): boolean {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
}

describe('createOpenApiDocument', () => {
  it('is OpenAPI 3.1 with the title and version of the contract, open to all', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'SPL Private Payments API', version: '0.1.0' },
      servers: [{ url: '/' }],
      security: [],
    });
  });

  it('names the configured origin', () => {
    expect(createOpenApiDocument(placed, 'https://pay.example.com/')).toMatchObject({
      servers: [{ url: 'https://pay.example.com' }],
    });
  });

  it('has the paths of the operations and of the endpoint', () => {
    expect(Object.keys(document['paths'] ?? {})).toEqual([
      ...new Set(placed.map(({ place }) => place.path)),
      '/mcp',
      '/.well-known/mcp.json',
      '/health',
    ]);
    for (const each of placed) {
      expect(operationOf(each)).toMatchObject({ operationId: each.served.operation.name });
    }
  });

  it('contains everything it refers to', () => {
    const references = listReferences(document);
    expect(references.length).toBeGreaterThan(20);
    for (const $ref of references) expect(resolve({ $ref } as unknown as Node), $ref).toBeDefined();
  });

  it('has one id for each operation', () => {
    const ids = Object.values(document['paths'] ?? {}).flatMap((item) =>
      Object.values(item ?? {}).map((operation) => operation?.['operationId']),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('requires a token only for operations that use it', () => {
    const [deposit] = SERVED_OPERATIONS as [Operation];
    const namesake = (name: string): ServedOperation => serveOperation({ ...deposit, name }, gate);
    const operations = ['deposit', 'transfer', 'createStealthPool'].map(namesake);
    const { paths } = createOpenApiDocument(placeOperations(operations), undefined) as { paths: Node };
    expect(paths['/v1/spl/transfer']?.['post']).toMatchObject({ security: [{ bearerAuth: [] }, {}] });
    expect(paths['/v1/spl/stealth-pool']?.['post']).toMatchObject({ security: [{ bearerAuth: [] }] });
    expect(paths['/v1/spl/deposit']?.['post']).not.toHaveProperty('security');
  });

  it.each(byName)('has a valid example input of %s', (_name, each) => {
    const example = exampleOf(operationOf(each));
    expect(each.served.check(example).isValid).toBe(true);
    expect(accepts(each.served.inputSchema, example)).toBe(true);
  });
});

describe('the answers of the service', () => {
  let server: HttpServer;

  beforeAll(async () => {
    server = await startService({ operations: SERVED_OPERATIONS });
  });

  afterAll(() => server.close());

  it('are described by the document that it serves', async () => {
    const answer = await fetch(`${server.url}/doc`);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(document);
    expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual(document);
  });

  async function ask({ place: { path, method } }: PlacedOperation, input: JsonObject): Promise<Response> {
    if (method === 'POST') {
      const headers = { 'content-type': 'application/json' };
      return fetch(server.url + path, { method, headers, body: JSON.stringify(input) });
    }
    return fetch(`${server.url}${path}?${new URLSearchParams(input as Record<string, string>)}`);
  }

  it.each(byName)(
    'to the example of %s and to an invalid request match the document',
    async (_name, each) => {
      const operation = operationOf(each);
      const statuses: number[] = [];
      for (const input of [exampleOf(operation), { unknown: '1' }]) {
        const answer = await ask(each, input);
        const described = resolve(operation?.['responses']?.[answer.status]);
        const content = described?.['content']?.[answer.headers.get('content-type') ?? ''];
        expect(accepts(resolve(content?.['schema']), await answer.json())).toBe(true);
        statuses.push(answer.status);
      }
      // Where the chain of the test cannot do what the example asks for, the operation says so.
      expect(statuses).toEqual([CAN_ALWAYS.has(each.served.operation.name) ? 200 : expect.any(Number), 422]);
    },
  );
});
