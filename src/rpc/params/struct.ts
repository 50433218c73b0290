import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { invalidType, ParamFault, type ParamReader } from './param-reader.ts';

/** One member of a struct. */
export interface Field<T> {
  readonly read: ParamReader<T>;
  /** The value of an absent member; if not set, the member is required. */
  readonly absent?: { readonly value: T; readonly alsoInSequence: boolean };
}

/** A required member. */
export const required = <T>(read: ParamReader<T>): Field<T> => ({ read });

/** A Rust `Option` member: it may be null or absent. */
export const optional = <T>(read: ParamReader<T>): Field<T | undefined> => ({
  read: (value) => (value === null ? undefined : read(value)),
  absent: { value: undefined, alsoInSequence: false },
});

/** A member with `#[serde(default)]`: it may be absent, but not null. */
export const withDefault = <T>(read: ParamReader<T>, value: T): Field<T> => ({
  read,
  absent: { value, alsoInSequence: true },
});

/**
 * A member of a struct flattened into this one as an `Option`. Serde reads it speculatively and treats any
 * fault as absence.
 */
export const flattened = <T>(read: ParamReader<T>): Field<T | undefined> => ({
  read: (value) => {
    try {
      return read(value);
    } catch (error) {
      if (error instanceof ParamFault) return undefined;
      throw error;
    }
  },
  absent: { value: undefined, alsoInSequence: false },
});

type Fields<T> = { readonly [Name in keyof T]: Field<T[Name]> };

/**
 * A Rust struct as serde_json reads it from a `Value`: an object, whose unknown members are ignored and whose
 * members are checked in the order of their names, or an array of the members in the order of `fields`. A
 * struct with flattened members is only read from an object.
 *
 * @param name Rust's name of the struct; it is part of the error texts.
 */
export function struct<T extends object>(
  name: string,
  fields: Fields<T>,
  options: { readonly hasFlattened: boolean } = { hasFlattened: false },
): ParamReader<T> {
  const declared = Object.entries(fields) as [string, Field<unknown>][];
  const byName = [...declared].sort(([left], [right]) => (left < right ? -1 : 1));
  return (value) => {
    if (value instanceof Map) return readObject(value, declared, byName) as T;
    // Serde derives no `visit_seq` for a struct with flattened members.
    if (Array.isArray(value) && !options.hasFlattened) return readSequence(value, declared, name) as T;
    throw invalidType(value, `struct ${name}`);
  };
}

function readObject(
  object: JsonObject,
  declared: readonly [string, Field<unknown>][],
  byName: readonly [string, Field<unknown>][],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  // Which fault is reported first depends on this order: serde_json keeps the members sorted and reads all of
  // them before it looks for missing ones, in declaration order.
  for (const [member, field] of byName) {
    const value = object.get(member);
    if (value !== undefined) result[member] = field.read(value);
  }
  for (const [member, field] of declared) {
    if (object.has(member)) continue;
    if (field.absent === undefined) throw new ParamFault(`missing field \`${member}\``);
    result[member] = field.absent.value;
  }
  return result;
}

function readSequence(
  items: readonly JsonValue[],
  declared: readonly [string, Field<unknown>][],
  name: string,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [index, [member, field]] of declared.entries()) {
    const value = items[index];
    if (value !== undefined) result[member] = field.read(value);
    // Serde's derived `visit_seq` applies `#[serde(default)]` but requires an `Option`, unlike `visit_map`.
    else if (field.absent?.alsoInSequence === true) result[member] = field.absent.value;
    else {
      const elements = declared.length === 1 ? 'element' : 'elements';
      throw new ParamFault(
        `invalid length ${index}, expected struct ${name} with ${declared.length} ${elements}`,
      );
    }
  }
  if (items.length > declared.length) {
    throw new ParamFault(`invalid length ${items.length}, expected fewer elements in array`);
  }
  return result;
}
