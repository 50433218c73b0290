import { NumberLiteral } from '../../json/number-literal.ts';

/**
 * A JSON value with JavaScript numbers for its literals. One that would become another number
 * (0.9999999999999999999 would be 1) is NaN: no schema takes it, and each refuses it in its own words.
 */
export function settleNumbers(value: unknown): unknown {
  return hasLiteral(value) ? settle(value) : value;
}

/** Nearly no value has one: then nothing is copied. */
function hasLiteral(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof NumberLiteral || Object.values(value).some(hasLiteral);
}

function settle(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof NumberLiteral) return value.exactValue ?? Number.NaN;
  if (Array.isArray(value)) return value.map(settle);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settle(member)]));
}
