import { describe, expect, it } from 'vitest';
import { type CallParams, readParamTuple } from '../rpc-method.ts';
import type { ParamReader } from './param-reader.ts';
import { string, u64 } from './readers.ts';

describe('readParamTuple()', () => {
  it('reads exactly as many arguments as there are readers', () => {
    expect(readParamTuple(['a', 1n], [string, u64])).toEqual(['a', 1n]);
  });

  it.each<[CallParams, string]>([
    [undefined, 'invalid type: null, expected a tuple of size 2'],
    [new Map(), 'invalid type: map, expected a tuple of size 2'],
    [[], 'invalid length 0, expected a tuple of size 2'],
    [['a'], 'invalid length 1, expected a tuple of size 2'],
    [['a', 1n, 2n], 'invalid length 3, expected fewer elements in array'],
    [[1n], 'invalid type: integer `1`, expected a string'],
    [['a', 'b', 2n], 'invalid type: string "b", expected u64'],
  ])('reports other arguments like serde’s tuples (%#)', (params, message) => {
    expect(() => readParamTuple(params, [string, u64])).toThrow(
      expect.objectContaining({ code: -32602, message: `Invalid params: ${message}.` }),
    );
  });

  it('does not report internal faults as faults of the caller', () => {
    const broken: ParamReader<never> = () => {
      throw new TypeError('a bug');
    };
    expect(() => readParamTuple([null], [broken])).toThrow(TypeError);
  });
});
