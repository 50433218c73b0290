import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';

/** How many levels of objects are described: the result, and the objects directly in it. */
const TOLD_LEVELS = 2;

/** The keywords that describe a schema and the members of an object. */
const TELLING: ReadonlySet<string> = new Set([
  'description',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
]);

/**
 * The result schema of a tool as it is listed. It is short, because it occupies the context of a model: the
 * members of the result are described in full, the members of objects and lists in them by name and type, and
 * deeper values by type only. It only drops keywords, so every value valid under the full schema remains
 * valid.
 */
export function outlineSchema(schema: ObjectSchema): JsonObject {
  return outline(schema, 0);
}

/** `level` is the number of enclosing objects. */
function outline(schema: JsonObject, level: number): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => level < TOLD_LEVELS || !TELLING.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, argument]) => [keyword, outlineArgument(keyword, argument, level)]),
  );
}

/** The argument of a keyword, with its schemas reduced to outlines. */
function outlineArgument(keyword: string, argument: unknown, level: number): unknown {
  if (keyword === 'items') return outline(argument as JsonObject, level);
  if (keyword === 'anyOf') return (argument as JsonObject[]).map((choice) => outline(choice, level));
  if (keyword !== 'properties') return argument;
  const members = Object.entries(argument as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, level + 1)]));
}
