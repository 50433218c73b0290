import { expect, it } from 'vitest';

it('bytes are equal if their type and contents are, at any offset of a buffer', () => {
  const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
  expect(bytes(1, 2)).toEqual(bytes(1, 2));
  expect({ at: [bytes(1, 2)] }).toStrictEqual({ at: [bytes(1, 2)] });
  expect(bytes(1, 2)).not.toEqual(bytes(1, 3));
  expect(bytes(1, 2)).not.toEqual(bytes(1));
  expect(new Map([['at', bytes(1)]])).not.toEqual(new Map([['at', bytes(2)]]));
  expect(bytes(1)).not.toEqual([1]);
  expect(bytes(1)).not.toStrictEqual(Buffer.from([1]));
});
