import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from './addresses.ts';
import { concat, option, trailing, u32, u64, u8, vec } from './instruction-data.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('fields of instruction data', () => {
  it.each([
    ['a byte', u8(255), 'ff'],
    ['a u32', u32(0xfffe_fdfc), 'fcfdfeff'],
    ['a u64', u64(0xfffe_fdfc_fbfa_f9f8n), 'f8f9fafbfcfdfeff'],
    ['no option', option(null), '00'],
    ['an option', option(u8(7)), '0107'],
    ['an empty list', vec([]), '00000000'],
    ['a list', vec([u8(1), u8(2)]), '020000000102'],
    ['no trailing address', trailing(null), ''],
    ['several', concat(u8(1), new Uint8Array(), u32(2)), '0102000000'],
  ])('are little-endian: %s', (_, bytes, hex) => {
    expect(hexOf(bytes)).toBe(hex);
  });

  it('have addresses as 32 bytes', () => {
    expect(hexOf(trailing(TOKEN_PROGRAM))).toBe(
      '06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9',
    );
  });

  it.each([
    ['u8', () => u8(256)],
    ['u8', () => u8(-1)],
    ['u8', () => u8(0.5)],
    ['u8', () => u8(Number.NaN)],
    ['u32', () => u32(2 ** 32)],
    ['u32', () => u32(-1)],
    ['u64', () => u64(2n ** 64n)],
    ['u64', () => u64(-1n)],
  ])('are refused when they do not fit a %s, rather than wrapped around', (_, encode) => {
    expect(encode).toThrow(RangeError);
  });
});
