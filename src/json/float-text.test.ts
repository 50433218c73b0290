import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatText } from './write-json.ts';

describe('floatText()', () => {
  // Expected texts: the tests of the crates ryu and zmij, and jsonrpc-core's answers about floats.
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [1000, '1000.0'],
    [-1.5, '-1.5'],
    [0.3, '0.3'],
    [0.00001, '0.00001'],
    [0.000012, '0.000012'],
    [0.000001, '1e-6'],
    [9999999779.5, '9999999779.5'],
    [1234567890123456, '1234567890123456.0'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [18446744073709551616, '1.8446744073709552e+19'],
    [6.62607015e-34, '6.62607015e-34'],
    [5e-324, '5e-324'],
  ])('writes %d as %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it('reads back as the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(floatText(value))).toBe(value);
      }),
    );
  });
});
