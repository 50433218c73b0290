import { Float64, JsonText, type JsonOutput, type JsonOutputObject } from './json-value.ts';
import { LongText } from './long-text.ts';
import { writeJson } from './write-json.ts';

/**
 * Appends `value` as `writeJson` would write it. A {@link LongText} nested in objects is shared, not copied.
 */
export function appendJson(text: LongText, value: JsonOutput): void {
  if (value instanceof LongText) text.appendLong(value);
  else if (isObject(value)) appendMembers(text, value);
  else text.append(writeJson(value));
}

function appendMembers(text: LongText, object: JsonOutputObject): void {
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text.append(`${separator}"${name}":`);
    appendJson(text, value);
    separator = ',';
  }
  text.append(separator === '{' ? '{}' : '}');
}

function isObject(value: JsonOutput): value is JsonOutputObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Float64 || value instanceof JsonText);
}
