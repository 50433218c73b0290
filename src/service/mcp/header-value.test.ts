import { describe, expect, it } from 'vitest';
import { decodeHeaderValue } from './json-rpc.ts';

describe('decodeHeaderValue', () => {
  it.each([
    [undefined, undefined],
    ['spl.deposit', 'spl.deposit'],
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['=?base64?SGVsbG8?=', '=?base64?SGVsbG8?='],
    ['=?base64?SGVs!!!bG8=?=', '=?base64?SGVs!!!bG8=?='],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['=?base64??=', '=?base64??='],
    [['a', 'b'], 'a, b'],
  ])('decodes %j as %j', (value, decoded) => {
    expect(decodeHeaderValue(value)).toBe(decoded);
  });
});
