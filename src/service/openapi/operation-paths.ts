import type { JsonObject } from '../input/json-object.ts';
import type { PlacedOperation } from '../rest/rest-table.ts';
import { listErrorResponses } from './error-responses.ts';
import { EXAMPLE_ANSWERS } from './example-answers.ts';
import { composeExampleInput } from './example-input.ts';
import { refTo, requestSchemaName, responseSchemaName } from './schema-components.ts';

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
            ...(Object.hasOwn(EXAMPLE_ANSWERS, name) ? { example: EXAMPLE_ANSWERS[name] } : {}),
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
