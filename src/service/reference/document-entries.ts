import { isJsonObject, type JsonObject } from '../input/json-object.ts';

/** An operation of an OpenAPI document, as the page shows it. */
export interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Whether it takes a bearer token. */
  readonly token: 'required' | 'optional' | undefined;
  /** Query parameters. */
  readonly query: readonly Member[];
  /** The members of the JSON body with an example; undefined if there is no body. */
  readonly body: { readonly members: readonly Member[]; readonly example: unknown } | undefined;
  /** The members of the JSON result, with an example if the document has one. */
  readonly result: { readonly members: readonly Member[]; readonly example: unknown } | undefined;
}

/** A member of an object, or a parameter. */
export interface Member {
  readonly name: string;
  readonly schema: JsonObject;
  readonly description: string;
  readonly isRequired: boolean;
  readonly example: unknown;
}

/** The operations of a document, in its order. */
export function listEntries(document: JsonObject): readonly Entry[] {
  return Object.entries(memberOf(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).map(([method, operation]) =>
      readEntry(document, method, path, operation as JsonObject),
    ),
  );
}

/** A nested object; empty if absent. */
export function memberOf(object: JsonObject, name: string): JsonObject {
  const member = object[name];
  return isJsonObject(member) ? member : {};
}

/** A text member; empty if absent. */
export function textOf(object: JsonObject, name: string): string {
  const text = object[name];
  return typeof text === 'string' ? text : '';
}

function readEntry(document: JsonObject, method: string, path: string, operation: JsonObject): Entry {
  const { tags, security } = operation;
  const body = jsonContent(memberOf(operation, 'requestBody'));
  const result = jsonContent(memberOf(memberOf(operation, 'responses'), '200'));
  return {
    id: textOf(operation, 'operationId'),
    method,
    path,
    tag: String((tags as unknown[])[0]),
    summary: textOf(operation, 'summary'),
    description: textOf(operation, 'description'),
    token: Array.isArray(security) ? (security.length > 1 ? 'optional' : 'required') : undefined,
    query: listQuery(operation),
    body: body && readContent(document, body),
    result: result && readContent(document, result),
  };
}

function readContent(document: JsonObject, content: JsonObject): NonNullable<Entry['body']> {
  return { members: listMembers(document, content), example: content['example'] };
}

function jsonContent(holder: JsonObject): JsonObject | undefined {
  const content = memberOf(holder, 'content')['application/json'];
  return isJsonObject(content) ? content : undefined;
}

function listMembers(document: JsonObject, content: JsonObject): readonly Member[] {
  const given = memberOf(content, 'schema');
  const schema = textOf(given, '$ref')
    .split('/')
    .slice(1)
    .reduce(memberOf, '$ref' in given ? document : given);
  const required = (schema['required'] ?? []) as unknown[];
  return Object.entries(memberOf(schema, 'properties')).map(([name, property]) => ({
    name,
    schema: property as JsonObject,
    description: textOf(property as JsonObject, 'description'),
    isRequired: required.includes(name),
    example: undefined,
  }));
}

function listQuery(operation: JsonObject): readonly Member[] {
  const parameters = (operation['parameters'] ?? []) as JsonObject[];
  return parameters
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => ({
      name: textOf(parameter, 'name'),
      schema: memberOf(parameter, 'schema'),
      description: textOf(parameter, 'description'),
      isRequired: parameter['required'] === true,
      example: parameter['example'],
    }));
}
