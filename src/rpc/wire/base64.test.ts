import { describe, expect, it } from 'vitest';
import { decodeBase64 } from './encoded-transaction.ts';

describe('decodeBase64()', () => {
  it.each([
    ['', ''],
    ['AA==', '00'],
    ['AAA=', '0000'],
    ['AAAA', '000000'],
    ['+/+/', 'fbffbf'],
  ])('decodes %j', (text, hex) => {
    expect(Buffer.from(decodeBase64(text)).toString('hex')).toBe(hex);
  });

  // The verdicts of the Rust crate base64 0.22.1.
  it.each([
    ['A', 'InvalidLength(1)'],
    ['AAAAA', 'InvalidLength(5)'],
    ['AA', 'InvalidPadding'],
    ['AAA', 'InvalidPadding'],
    ['AAAAAA', 'InvalidPadding'],
    ['AAAA=', 'InvalidByte(4, 61)'],
    ['AAAA!', 'InvalidByte(4, 33)'],
    ['AAAA\n', 'InvalidByte(4, 10)'],
    ['A===', 'InvalidByte(1, 61)'],
    ['AA=A', 'InvalidByte(2, 61)'],
    ['AA AA', 'InvalidByte(2, 32)'],
    ['A-_A', 'InvalidByte(1, 45)'],
    ['AAé=', 'InvalidByte(2, 195)'],
    ['=AAAAAAA', 'InvalidByte(0, 61)'],
    ['AB==', 'InvalidLastSymbol(1, 66)'],
    ['AAAAAAB=', 'InvalidLastSymbol(6, 66)'],
  ])('rejects %j with %s', (text, fault) => {
    expect(() => decodeBase64(text)).toThrow(
      expect.objectContaining({ code: -32602, message: `invalid base64 encoding: ${fault}` }),
    );
  });
});
