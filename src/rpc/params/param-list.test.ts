import { describe, expect, it } from 'vitest';
import { readParams } from '../rpc-method.ts';
import type { ParamReader } from './param-reader.ts';
import { string, u64 } from './readers.ts';

describe('readParams()', () => {
  it('reads the arguments and skips optional ones that are null or missing', () => {
    expect(readParams(['a', 1n], [string], [u64])).toEqual(['a', 1n]);
    expect(readParams(['a', null], [string], [u64])).toEqual(['a', undefined]);
    expect(readParams(['a'], [string], [u64])).toEqual(['a']);
    expect(readParams(undefined, [], [u64])).toEqual([]);
  });

  it('checks the number of parameters before their types, and types in order', () => {
    const faultOf = (...params: (string | bigint | null)[]): string => {
      try {
        readParams(params, [string, string], [u64]);
        return 'none';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(faultOf(1n)).toBe('`params` should have at least 2 argument(s)');
    expect(faultOf(1n, 1n, 1n, 1n)).toBe('Invalid parameters: Expected from 2 to 3 parameters.');
    expect(faultOf('a', null, 'x')).toBe('Invalid params: invalid type: null, expected a string.');
    expect(faultOf('a', 'b', 'x')).toBe('Invalid params: invalid type: string "x", expected u64.');
  });

  it('does not report internal faults as faults of the caller', () => {
    const broken: ParamReader<never> = () => {
      throw new TypeError('a bug');
    };
    expect(() => readParams([null], [broken], [])).toThrow(TypeError);
  });
});
