import type { RpcError } from './errors.ts';
import { appendJson } from '../json/append-json.ts';
import type { JsonObject, JsonOutput, JsonValue } from '../json/json-value.ts';
import { readJson, JsonSyntaxError, type JsonDocument } from '../json/read-json.ts';
import { LongText } from '../json/long-text.ts';
import { quote, writeJson } from '../json/write-json.ts';
import type { CallParams } from './params/param-list.ts';

/** How a caller names a call: an unsigned 64-bit integer, a string or null (jsonrpc-core `Id`). */
export type CallId = null | bigint | string;

/** One call of a body, as jsonrpc-core 18 sorts them. */
export type Call =
  | {
      readonly kind: 'method';
      readonly id: CallId;
      readonly method: string;
      readonly params: CallParams;
    }
  /** No id. Agave registers no method for notifications, so none is run and nothing is answered. */
  | { readonly kind: 'notification' }
  /** Well-formed, but without `jsonrpc`. */
  | { readonly kind: 'unversioned'; readonly id: CallId }
  | { readonly kind: 'invalid'; readonly id: CallId };

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params', 'id']);

/**
 * The call or the batch of calls a body is; undefined when it is neither, which is a parse error for all of
 * it: text that is not JSON, a value that is no object, an id that is none. (Serde would also read a call
 * from an array of its members, by accident; no client writes one, and here it is a parse error.)
 */
export function readEnvelope(text: string): Call | readonly Call[] | undefined {
  const document = tryReadJson(text);
  if (document === undefined) return undefined;
  const { value, repeatedNames } = document;
  if (!Array.isArray(value)) return readCall(value, repeatedNames);
  const calls: Call[] = [];
  for (const item of value as readonly JsonValue[]) {
    const call = readCall(item, repeatedNames);
    if (call === undefined) return undefined;
    calls.push(call);
  }
  return calls;
}

/** A result as jsonrpc-core writes it. */
export function writeSuccess(result: JsonOutput, id: CallId): string {
  return `{"jsonrpc":"2.0","result":${writeJson(result)},"id":${writeId(id)}}`;
}

/** {@link writeSuccess} of a result that may hold a {@link LongText}, of which no copy is made. */
export function writeLongSuccess(result: JsonOutput, id: CallId): LongText {
  const answer = new LongText().append('{"jsonrpc":"2.0","result":');
  appendJson(answer, result);
  return answer.append(`,"id":${writeId(id)}}`);
}

/** An error as jsonrpc-core writes it. */
export function writeFailure(error: RpcError, id: CallId): string {
  return `{"jsonrpc":"2.0",${errorAndId(error, id)}}`;
}

/** The answer to a call that names no version: it names none either. */
export function writeUnversionedFailure(error: RpcError, id: CallId): string {
  return `{${errorAndId(error, id)}}`;
}

function errorAndId(error: RpcError, id: CallId): string {
  const data = error.data === undefined ? '' : `,"data":${writeJson(error.data)}`;
  const object = `{"code":${error.code},"message":${quote(error.message)}${data}}`;
  return `"error":${object},"id":${writeId(id)}`;
}

/** The id that a text is, in an answer of another node; undefined when it is none. */
export function readId(text: string | undefined): CallId | undefined {
  const value = text === undefined ? undefined : tryReadJson(text)?.value;
  return value !== undefined && isId(value) ? value : undefined;
}

function tryReadJson(text: string): JsonDocument | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function readCall(value: JsonValue, repeatedNames: JsonDocument['repeatedNames']): Call | undefined {
  if (!(value instanceof Map)) return undefined;
  const call: JsonObject = value;
  const repeated = repeatedNames.get(call);
  const id = call.get('id');
  if (!(id === undefined || isId(id)) || repeated?.includes('id') === true) return undefined;
  const method = call.get('method');
  const params = call.get('params') ?? undefined;
  const version = call.get('jsonrpc') ?? undefined;
  const isWellFormed =
    typeof method === 'string' &&
    isParams(params) &&
    (version === undefined || version === '2.0') &&
    repeated === undefined &&
    hasOnlyKnownMembers(call);
  if (!isWellFormed) return { kind: 'invalid', id: id ?? null };
  if (id === undefined) return { kind: 'notification' };
  return version === undefined ? { kind: 'unversioned', id } : { kind: 'method', id, method, params };
}

function hasOnlyKnownMembers(call: JsonObject): boolean {
  for (const name of call.keys()) if (!MEMBERS.has(name)) return false;
  return true;
}

function isId(value: JsonValue): value is CallId {
  return value === null || typeof value === 'string' || (typeof value === 'bigint' && value >= 0n);
}

function isParams(value: JsonValue | undefined): value is CallParams {
  return value === undefined || Array.isArray(value) || value instanceof Map;
}

function writeId(id: CallId): string {
  return typeof id === 'string' ? quote(id) : String(id);
}
