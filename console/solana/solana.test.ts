import { getBase58Decoder } from '@solana/kit';
import { assert, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase58 } from '../parts/base58.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { encodeBase58 } from './base58.ts';

describe('base58', () => {
  it('writes what kit writes, and what the page itself reads', () => {
    assert(
      property(uint8Array({ maxLength: 64 }), (bytes) => {
        const text = encodeBase58(bytes);
        expect(text).toBe(getBase58Decoder().decode(bytes));
        expect(decodeBase58(text)).toEqual(bytes);
      }),
    );
  });
});

describe('base64', () => {
  it('reads what it writes, with white space in it as well', () => {
    assert(
      property(uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text.replaceAll(/.{40}/g, '$&\n'))).toEqual(bytes);
      }),
    );
  });

  it('is not what has other characters, or an end that is none', () => {
    expect(['', '  ', 'a', 'ab=c', 'a-b_', '{"a":1}'].map(decodeBase64)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
