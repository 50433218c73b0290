import { Float64, type JsonValue } from './json-value.ts';

/** Writes parsed JSON as text: numbers as they were written, members in order and once each. */
export function jsonTextOf(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Float64) return value.literal ?? String(value);
  if (value instanceof Map) {
    const members = Array.from(value, ([name, member]) => `${JSON.stringify(name)}:${jsonTextOf(member)}`);
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(jsonTextOf).join(',')}]`;
  return JSON.stringify(value);
}
