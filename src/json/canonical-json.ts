import { type JsonOutput, type JsonValue, quote, writeJson } from './write-json.ts';

/** Writes parsed JSON with the members of objects sorted by name, so that equal values have the same text. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(canonicalJson).join(',')}]`;
  if (!(value instanceof Map)) return writeJson(value as JsonOutput);
  const members = [...(value as ReadonlyMap<string, JsonValue>)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return `{${members.map(([name, member]) => `${quote(name)}:${canonicalJson(member)}`).join(',')}}`;
}
