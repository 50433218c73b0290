import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonObject } from './json-object.ts';

/** The JSON Schema of an object, as far as the service itself reads it. */
export interface ObjectSchema extends JsonObject {
  readonly type: 'object';
  /** Schemas of the members, each with its `description`. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/**
 * JSON Schema 2020-12 of a tool's arguments. There is no `$schema` member: without it every MCP client
 * assumes 2020-12, with it some refuse the tool.
 *
 * @throws Error when the arguments are no object, or one that takes unknown members.
 */
export function writeInputSchema(schema: z.ZodType): ObjectSchema {
  const written = toObjectSchema(
    z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => plainRecord(jsonSchema) }),
  );
  if (written['additionalProperties'] !== false)
    throw new Error('the arguments schema takes unknown members');
  return written;
}

/**
 * JSON Schema 2020-12 of a tool's structured result. It stays open to further members, so that a client with
 * an older list still accepts the results of a newer server. Of integers it does not say that they are safe
 * ones.
 *
 * @throws Error when the result is no object.
 */
export function writeOutputSchema(schema: z.ZodType): ObjectSchema {
  return toObjectSchema(
    z.toJSONSchema(schema, {
      io: 'output',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }),
  );
}

/**
 * An object of any members is a plain object: strict converters, which write a model's API from it, take no
 * more.
 */
function plainRecord(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties } = schema;
  if (isDeepStrictEqual(propertyNames, { type: 'string' })) delete schema.propertyNames;
  if (isDeepStrictEqual(additionalProperties, {})) delete schema.additionalProperties;
}

/**
 * A schema, and those in it, with a choice of schemas for a list of types, which strict converters do not
 * take.
 */
function splitTypes(schema: JsonObject): JsonObject {
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, argument]) => [keyword, splitTypesIn(keyword, argument)]),
  );
  if (Array.isArray(type)) return { ...rest, anyOf: type.map((each: unknown) => ({ type: each })) };
  return type === undefined ? rest : { type, ...rest };
}

function splitTypesIn(keyword: string, argument: unknown): unknown {
  if (keyword === 'items') return splitTypes(argument as JsonObject);
  if (keyword === 'anyOf') return (argument as JsonObject[]).map(splitTypes);
  if (keyword !== 'properties') return argument;
  const members = Object.entries(argument as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, splitTypes(member)]));
}

function toObjectSchema(written: z.core.JSONSchema.BaseSchema): ObjectSchema {
  if (written.type !== 'object') throw new Error('a tool takes and returns objects');
  const { properties = {}, required = [] } = written;
  const schema = { ...written, type: 'object', properties, required };
  delete schema.$schema;
  return splitTypes(schema) as ObjectSchema;
}
