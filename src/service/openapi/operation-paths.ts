import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';
import type { PlacedOperation } from '../rest/rest-table.ts';
import { listErrorResponses, refTo, requestSchemaName, responseSchemaName } from './schema-components.ts';

const WALLET = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const OTHER_WALLET = 'Bt9oNR5cCtnfuMmXgWELd6q5i974PdEMQDUE55nBC57L';

/** USDC on mainnet, which also exists on localnet. */
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/**
 * A transaction with one instruction, a memo that says `Hello`. It is signed with the secret key of test 1 in
 * RFC 8032 section 7.1, because only signed transactions can be sent. No ledger accepts it, because none has
 * its blockhash.
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
  mint: MINT,
  amount: 1_000_000,
  destinations: [OTHER_WALLET],
  handle: 'alice@example.com',
  transactionBase64: TRANSACTION,
  challenge: `Login to Query Filtering Service\nTimestamp: 1767225600\nUser: ${WALLET}`,
  signature: '1'.repeat(64),
};

/**
 * An example input of an operation: its required members, each with its schema's example, its only or first
 * allowed value, the sample for its name, or its default. Undefined if one of them has none of these.
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

/** The path items of operations. */
export function createOperationPaths(placed: readonly PlacedOperation[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const each of placed) {
    const { path, method } = each.place;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(each) };
  }
  return paths;
}

function describeOperation({ place, served }: PlacedOperation): JsonObject {
  const { name, title, description } = served.operation;
  const hasBody = place.method === 'POST';
  return {
    operationId: name,
    summary: title,
    description,
    tags: [place.group],
    ...describeSecurity(place.token),
    ...(hasBody ? describeBody(served, place.isSecret === true) : { parameters: describeQuery(served) }),
    responses: {
      200: {
        description: 'The result.',
        headers: { 'X-Request-Id': { schema: { type: 'string' } } },
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

function describeSecurity(token: 'required' | 'optional' | undefined): JsonObject {
  if (token === undefined) return {};
  return { security: token === 'required' ? [{ bearerAuth: [] }] : [{ bearerAuth: [] }, {}] };
}

function describeBody(served: PlacedOperation['served'], isSecret: boolean): JsonObject {
  const example = composeExampleInput(served.inputSchema);
  return {
    parameters: [
      ...(isSecret ? [] : [refTo('parameters', 'IdempotencyKey')]),
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
  return [...Object.entries(inputSchema.properties).map(describeParameter), refTo('parameters', 'RequestId')];
}
