import { appendJson, LongText } from '../json/long-text.ts';
import { type JsonDocument, JsonSyntaxError, readJson } from '../json/read-json.ts';
import { type JsonObject, type JsonOutput, type JsonValue, quote, writeJson } from '../json/write-json.ts';
import type { RpcError } from './errors.ts';
import type { CallParams } from './rpc-method.ts';

/** The answer to a request body: a string, or a long text in pieces. */
export type Answer = string | LongText;

/** The id of a call: an unsigned 64-bit integer, a string or null (jsonrpc-core `Id`). */
export type CallId = null | bigint | string;

/** One call of a body, classified as in jsonrpc-core 18. */
export type Call =
  | {
      readonly kind: 'method';
      readonly id: CallId;
      readonly method: string;
      readonly params: CallParams;
    }
  /** A call without an id. Agave registers no notification handlers, so it is neither run nor answered. */
  | { readonly kind: 'notification' }
  /** A well-formed call without `jsonrpc`. */
  | { readonly kind: 'unversioned'; readonly id: CallId }
  | { readonly kind: 'invalid'; readonly id: CallId };

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'params', 'id']);

/**
 * Parses the call or the batch of calls in a body. Returns undefined for a parse error of the whole body: it
 * is not JSON, not an object, or has an invalid id. (Serde also accepts an array of a call's members. No
 * client sends one, and here it is a parse error.)
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

/** Writes a result like jsonrpc-core. */
export function writeSuccess(result: JsonOutput, id: CallId): string {
  return `{"jsonrpc":"2.0","result":${writeJson(result)},"id":${writeId(id)}}`;
}

/** Writes a result like {@link writeSuccess}. The result may contain a {@link LongText}, which is shared. */
export function writeLongSuccess(result: JsonOutput, id: CallId): LongText {
  const answer = new LongText().append('{"jsonrpc":"2.0","result":');
  appendJson(answer, result);
  return answer.append(`,"id":${writeId(id)}}`);
}

/** Writes an error like jsonrpc-core. */
export function writeFailure(error: RpcError, id: CallId): string {
  return `{"jsonrpc":"2.0",${errorAndId(error, id)}}`;
}

/** Writes the error for a call without a `jsonrpc` version. The answer has no version either. */
export function writeUnversionedFailure(error: RpcError, id: CallId): string {
  return `{${errorAndId(error, id)}}`;
}

function errorAndId(error: RpcError, id: CallId): string {
  const data = error.data === undefined ? '' : `,"data":${writeJson(error.data)}`;
  const object = `{"code":${error.code},"message":${quote(error.message)}${data}}`;
  return `"error":${object},"id":${writeId(id)}`;
}

/** Parses the id in another node's answer; undefined if it is not an id. */
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
