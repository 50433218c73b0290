import { describe, expect, it } from 'vitest';
import { findUtf8Fault } from './utf8-fault.ts';

describe('findUtf8Fault()', () => {
  it.each<[string, number[], number | undefined]>([
    ['nothing', [], undefined],
    ['ASCII', [0x61, 0x62], undefined],
    ['characters of two, three and four bytes', [...Buffer.from('é€🦖')], undefined],
    ['a byte that no character contains', [0x61, 0xff, 0x61], 1],
    ['a lone continuation byte', [0x80], 0],
    ['an overlong form', [0x61, 0x61, 0xc0, 0x80], 2],
    ['a surrogate', [0xed, 0xa0, 0x80], 0],
    ['a code point beyond U+10FFFF', [0x61, 0xf4, 0x90, 0x80, 0x80], 1],
    ['a truncated character', [...Buffer.from('é🦖')].slice(0, 5), 2],
    ['a fault after characters of several bytes', [...Buffer.from('é€🦖'), 0xfe], 9],
  ])('finds the fault in %s', (_, bytes, expected) => {
    expect(findUtf8Fault(Uint8Array.from(bytes))).toBe(expected);
  });
});
