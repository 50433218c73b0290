import { NumberLiteral } from '../../json/plain-json.ts';

/** The members of a JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof NumberLiteral);
}
