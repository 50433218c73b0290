import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonObject } from './json-object.ts';

/** The JSON Schema of an object, with the keywords that the service reads. */
export interface ObjectSchema extends JsonObject {
  readonly type: 'object';
  /** The schemas of the members, each with a `description`. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/**
 * Writes the JSON Schema 2020-12 of a tool's arguments. It omits `$schema`, because clients assume 2020-12
 * and some reject the member.
 *
 * @throws Error if the arguments are not an object, or accept unknown members.
 */
export function writeInputSchema(schema: z.ZodType): ObjectSchema {
  const written = toObjectSchema(
    z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => plainRecord(jsonSchema) }),
  );
  if (written['additionalProperties'] !== false)
    throw new Error('the arguments schema accepts unknown members');
  return written;
}

/**
 * Writes the JSON Schema 2020-12 of a tool's structured result. It omits safe-integer bounds and allows
 * further members, so that clients with an older schema accept the results of a newer server.
 *
 * @throws Error if the result is not an object.
 */
export function writeOutputSchema(schema: z.ZodType): ObjectSchema {
  return toObjectSchema(
    z.toJSONSchema(schema, {
      io: 'output',
      override: ({ jsonSchema }) => {
        const { additionalProperties: more } = jsonSchema;
        if (more === false || isDeepStrictEqual(more, {})) delete jsonSchema.additionalProperties;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }),
  );
}

/** Replaces an object with arbitrary members by a plain object, because model APIs accept nothing else. */
function plainRecord(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties } = schema;
  if (isDeepStrictEqual(propertyNames, { type: 'string' })) delete schema.propertyNames;
  if (isDeepStrictEqual(additionalProperties, {})) delete schema.additionalProperties;
}

/** Replaces lists of types, which strict converters reject, with choices of schemas at every level. */
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
  if (written.type !== 'object') throw new Error('a tool accepts and returns objects');
  const { properties = {}, required = [] } = written;
  const schema = { ...written, type: 'object', properties, required };
  delete schema.$schema;
  return splitTypes(schema) as ObjectSchema;
}
