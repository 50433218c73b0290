import { describe, expect, it } from 'vitest';
import { readPlainJson } from '../../json/plain-json.ts';
import { settleNumbers } from '../served-operation.ts';

function settle(text: string): unknown {
  const json = readPlainJson(text, 64);
  return json.fault === undefined ? settleNumbers(json.value) : json.fault;
}

describe('settleNumbers()', () => {
  it('converts a literal to the exact number only', () => {
    expect(settle('{"a":[1.0,1e3,-0],"b":{"c":0.9999999999999999999,"d":"1.0"},"e":null}')).toEqual({
      a: [1, 1_000, -0],
      b: { c: Number.NaN, d: '1.0' },
      e: null,
    });
  });

  it('treats __proto__ as an ordinary member', () => {
    const settled = settle('{"__proto__":1.0}') as object;
    expect(Object.entries(settled)).toEqual([['__proto__', 1]]);
    expect(Object.getPrototypeOf(settled)).toBe(Object.prototype);
  });
});
