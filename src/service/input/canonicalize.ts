import { isJsonObject } from './json-object.ts';

/** Writes JSON with sorted members (RFC 8785), for values without fractions. */
export function canonicalize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalize(value[name])}`).join(',')}}`;
}
