import type { JsonOutputObject } from '../../json/json-value.ts';

/** `object` with its members in the order of their names, as Agave's maps (`serde_json::Map`) keep them. */
export function sortMembers(object: JsonOutputObject): JsonOutputObject {
  return Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
}
