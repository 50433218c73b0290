import { describe, expect, it } from 'vitest';
import { plainFloatText } from './token-extensions.ts';

describe('plainFloatText()', () => {
  it.each<[number, string]>([
    [0, '0'],
    [-0, '-0'],
    [5, '5'],
    [1.5, '1.5'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [NaN, 'NaN'],
  ])('writes %d as %s', (value, text) => {
    expect(plainFloatText(value)).toBe(text);
  });
});
