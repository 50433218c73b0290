import { NumberLiteral } from '../../json/number-literal.ts';

/**
 * Replaces number literals in a JSON value by JavaScript numbers. A literal that would change its value
 * (0.9999999999999999999 would become 1) becomes NaN, which every schema refuses with its own message.
 */
export function settleNumbers(value: unknown): unknown {
  return hasLiteral(value) ? settle(value) : value;
}

/** Almost no value has a literal, and then nothing is copied. */
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
