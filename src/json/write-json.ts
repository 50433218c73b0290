import { Float64, type JsonOutput, type JsonOutputObject, JsonText } from './json-value.ts';

/** Characters that need an escape in a JSON string. */
// oxlint-disable-next-line no-control-regex
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/**
 * Writes `value` as JSON text without white space. Unlike `JSON.stringify`, it writes bigints as digits, a
 * {@link Float64} with its fraction and a {@link JsonText} verbatim. Undefined members are omitted.
 */
export function writeJson(value: JsonOutput): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return writeArray(value);
      if (value instanceof Float64 || value instanceof JsonText) return value.toString();
      return writeObject(value as JsonOutputObject);
  }
}

/** Writes `text` as a JSON string literal. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function writeArray(items: readonly JsonOutput[]): string {
  let text = '';
  let separator = '[';
  for (const item of items) {
    text += separator + writeJson(item);
    separator = ',';
  }
  return text === '' ? '[]' : `${text}]`;
}

function writeObject(object: JsonOutputObject): string {
  let text = '';
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text += `${separator}"${name}":${writeJson(value)}`;
    separator = ',';
  }
  return text === '' ? '{}' : `${text}}`;
}
