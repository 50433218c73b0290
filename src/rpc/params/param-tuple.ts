import { invalidParams } from '../errors.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CallParams } from './param-list.ts';
import { invalidType, ParamFault, type ParamReader } from './param-reader.ts';

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
