import type { JsonOutputObject } from '../../json/json-value.ts';

/** `object` with its members sorted by name, as in Agave's maps (`serde_json::Map`). */
export function sortMembers(object: JsonOutputObject): JsonOutputObject {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}
