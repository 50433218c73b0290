import type { JsonObject } from '../input/json-object.ts';

/** With more choices than this the description has to list them. */
const CHOICES_MAX = 8;

/** A JSON Schema in a few words: `integer from 1, or string`, `array of string`, `"base" or "ephemeral"`. */
export function describeType(schema: JsonObject): string {
  const { type, enum: choices, const: only, anyOf, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices) && choices.length <= CHOICES_MAX) {
    return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  }
  if (Array.isArray(anyOf)) {
    return [...new Set(anyOf.map((each) => describeType(each as JsonObject)))].join(', or ');
  }
  if (type === 'array') return `array of ${describeType((items ?? {}) as JsonObject)}${countOf(schema)}`;
  if (typeof type === 'string') return type + rangeOf(schema);
  return Array.isArray(type) ? type.join(' or ') : 'any';
}

function countOf({ minItems, maxItems }: JsonObject): string {
  if (maxItems === undefined) return '';
  return minItems === undefined
    ? `, up to ${String(maxItems)}`
    : `, ${String(minItems)} to ${String(maxItems)}`;
}

/** The range of a number, unless it is that of a double. */
function rangeOf({ minimum, maximum }: JsonObject): string {
  const from = isNews(minimum) ? ` from ${minimum}` : '';
  const to = isNews(maximum) ? ` up to ${maximum}` : '';
  return from + to;
}

function isNews(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
