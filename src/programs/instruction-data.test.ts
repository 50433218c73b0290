import { describe, expect, it } from 'vitest';
import { concat, option, u16, u24, u32, u64, u8, vec } from './instruction-data.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('fields of instruction data', () => {
  it.each([
    ['a byte', u8(255), 'ff'],
    ['a u16', u16(0xfffe), 'feff'],
    ['a u24', u24(0xfffe_fd), 'fdfeff'],
    ['a u32', u32(0xfffe_fdfc), 'fcfdfeff'],
    ['a u64', u64(0xfffe_fdfc_fbfa_f9f8n), 'f8f9fafbfcfdfeff'],
    ['no option', option(null), '00'],
    ['an option', option(u8(7)), '0107'],
    ['an empty list', vec([]), '00000000'],
    ['a list', vec([u8(1), u8(2)]), '020000000102'],
    ['several', concat(u8(1), new Uint8Array(), u32(2)), '0102000000'],
  ])('are little-endian: %s', (_, bytes, hex) => {
    expect(hexOf(bytes)).toBe(hex);
  });

  it.each([
    ['u8', () => u8(256)],
    ['u8', () => u8(-1)],
    ['u8', () => u8(0.5)],
    ['u8', () => u8(Number.NaN)],
    ['u16', () => u16(2 ** 16)],
    ['u24', () => u24(2 ** 24)],
    ['u32', () => u32(2 ** 32)],
    ['u32', () => u32(-1)],
    ['u64', () => u64(2n ** 64n)],
    ['u64', () => u64(-1n)],
  ])('are rejected when they do not fit a %s, rather than wrapped around', (_, encode) => {
    expect(encode).toThrow(RangeError);
  });
});
