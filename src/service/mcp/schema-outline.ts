import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';

/**
 * Levels of objects that are told in words and by their members: the result, and what lies directly in it.
 */
const TOLD_LEVELS = 2;

/** What a schema says for people, and of the members of an object. */
const TELLING: ReadonlySet<string> = new Set([
  'description',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
]);

/**
 * The schema of a result as tools are listed with it: short, since it stands in the context of a model. The
 * result's own members are described in full, the members of objects and lists in them by name and type, and
 * of what lies deeper only the type remains. It only leaves out, so that it takes every value that the schema
 * itself takes.
 */
export function outlineSchema(schema: ObjectSchema): JsonObject {
  return outline(schema, 0);
}

/** `level` counts the objects around the value. */
function outline(schema: JsonObject, level: number): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => level < TOLD_LEVELS || !TELLING.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, argument]) => [keyword, outlineArgument(keyword, argument, level)]),
  );
}

/** What a keyword says, with the schemas in it as outlines. */
function outlineArgument(keyword: string, argument: unknown, level: number): unknown {
  if (keyword === 'items') return outline(argument as JsonObject, level);
  if (keyword === 'anyOf') return (argument as JsonObject[]).map((choice) => outline(choice, level));
  if (keyword !== 'properties') return argument;
  const members = Object.entries(argument as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, level + 1)]));
}
