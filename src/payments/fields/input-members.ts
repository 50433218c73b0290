import { z } from 'zod';

/**
 * Drops optional null members, in nested objects too, unless null has another meaning. Models send
 * `"validator": null` for arguments that they do not set. The schema rejects all other nulls.
 */
export function dropAbsentNulls(schema: z.ZodType, input: unknown): unknown {
  return hasNull(input) ? dropFrom(schema, input) : input;
}

/** Checks for nulls, because inputs without one need no copy. */
function hasNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}

function dropFrom(schema: z.ZodType, input: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isPlainObject(input)) return input;
  const shape = new Map<string, z.ZodType>(Object.entries(schema.shape));
  const members = Object.entries(input);
  const present = members.flatMap(([name, value]) => {
    const member = shape.get(name);
    if (member === undefined) return [[name, value] as const];
    if (value === null) return isAbsentNull(member) ? [] : [[name, value] as const];
    const inner = member instanceof z.ZodOptional ? (member.unwrap() as z.ZodType) : member;
    return [[name, dropFrom(inner, value)] as const];
  });
  return Object.fromEntries(present);
}

function isAbsentNull(member: z.ZodType): boolean {
  return member.safeParse(undefined).success && !member.safeParse(null).success;
}

function isPlainObject(input: unknown): input is object {
  return typeof input === 'object' && input !== null && Object.getPrototypeOf(input) === Object.prototype;
}

/**
 * Renames members from their alternative names. If both names are given, the schema rejects the alternative.
 *
 * @param otherNames member names by alternative name.
 */
export function nameMembers<Input>(
  otherNames: Readonly<Record<string, string>> | undefined,
  input: Input,
): Input {
  if (otherNames === undefined || typeof input !== 'object' || input === null) return input;
  const members = Object.entries(input).map(([name, value]) => {
    const own = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
    return [own === undefined || Object.hasOwn(input, own) ? name : own, value] as const;
  });
  return Object.fromEntries(members) as Input;
}
