import { Base64Text } from '../../json/base64-text.ts';
import { Float64, JsonText, type JsonOutput, type JsonOutputObject } from '../../json/json-value.ts';
import type { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import type { Steps } from './scan.ts';

/** Appends `value` as `writeJson` would write it; long base64 is appended one piece per step. */
export function* appendInSteps(text: LongText, value: JsonOutput): Steps<void> {
  if (value instanceof Base64Text) yield* appendPieces(text, value);
  else if (typeof value !== 'object' || value === null) text.append(writeJson(value));
  else if (value instanceof Float64 || value instanceof JsonText) text.append(value.toString());
  else if (Array.isArray(value)) yield* appendItems(text, value as readonly JsonOutput[]);
  else yield* appendMembers(text, value as JsonOutputObject);
}

function* appendPieces(text: LongText, base64: Base64Text): Steps<void> {
  for (const piece of base64.pieces()) {
    text.append(piece);
    yield piece.length;
  }
}

function* appendItems(text: LongText, items: readonly JsonOutput[]): Steps<void> {
  let separator = '[';
  for (const item of items) {
    text.append(separator);
    yield* appendInSteps(text, item);
    separator = ',';
  }
  text.append(separator === '[' ? '[]' : ']');
}

function* appendMembers(text: LongText, object: JsonOutputObject): Steps<void> {
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text.append(`${separator}"${name}":`);
    yield* appendInSteps(text, value);
    separator = ',';
  }
  text.append(separator === '{' ? '{}' : '}');
}
