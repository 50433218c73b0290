import { type JsonObject, type JsonValue, quote } from '../../json/write-json.ts';
import { invalidParams } from '../errors.ts';
import { debugItems, debugMembers, invalidType, ParamFault, type ParamReader } from './param-reader.ts';

/** The `params` of a call; undefined if missing or null. */
export type CallParams = readonly JsonValue[] | JsonObject | undefined;

/**
 * Reads the arguments of a call; optional ones that are missing or null become undefined. The checks, their
 * order and their texts are those of jsonrpc-derive 18.
 *
 * @throws {RpcError} -32602.
 */
export function readParams(
  params: CallParams,
  required: readonly ParamReader<unknown>[],
  optional: readonly ParamReader<unknown>[],
): unknown[] {
  const most = required.length + optional.length;
  if (most === 0) return refuseAny(params);
  if (params instanceof Map) throw invalidParams('`params` should be an array');
  const args = (params ?? []) as readonly JsonValue[];
  if (args.length < required.length) {
    throw invalidParams(`\`params\` should have at least ${required.length} argument(s)`);
  }
  if (args.length > most) {
    throw invalidParams(
      `Invalid parameters: Expected from ${required.length} to ${most} parameters.`,
      quote(`Got: ${args.length}`),
    );
  }
  try {
    return args.map((value, index) => {
      const read = required[index];
      if (read !== undefined) return read(value);
      // Null stands for an absent optional argument; for a required one its reader decides.
      return value === null ? undefined : (optional[index - required.length] as ParamReader<unknown>)(value);
    });
  } catch (error) {
    if (error instanceof ParamFault) throw invalidParams(`Invalid params: ${error.message}.`);
    throw error;
  }
}

function refuseAny(params: CallParams): [] {
  if (params === undefined || (Array.isArray(params) && params.length === 0)) return [];
  const text =
    params instanceof Map ? `Map(${debugMembers(params)})` : `Array(${debugItems(params as JsonValue[])})`;
  throw invalidParams('Invalid parameters: No parameters were expected', text);
}

/**
 * Reads the arguments of a call without optional ones. jsonrpc-derive 18 passes these to serde as one tuple,
 * so a wrong number of them gives other texts than {@link readParams} does.
 *
 * @throws {RpcError} -32602.
 */
export function readParamTuple(params: CallParams, readers: readonly ParamReader<unknown>[]): unknown[] {
  try {
    // jsonrpc-derive passes missing params to serde as null.
    return readTuple(params ?? null, readers);
  } catch (error) {
    if (error instanceof ParamFault) throw invalidParams(`Invalid params: ${error.message}.`);
    throw error;
  }
}

function readTuple(value: JsonValue, readers: readonly ParamReader<unknown>[]): unknown[] {
  const expected = `a tuple of size ${readers.length}`;
  if (!Array.isArray(value)) throw invalidType(value, expected);
  const items = value as readonly JsonValue[];
  const tuple = readers.map((read, index) => {
    const item = items[index];
    if (item === undefined) throw new ParamFault(`invalid length ${index}, expected ${expected}`);
    return read(item);
  });
  if (items.length > readers.length) {
    throw new ParamFault(`invalid length ${items.length}, expected fewer elements in array`);
  }
  return tuple;
}
