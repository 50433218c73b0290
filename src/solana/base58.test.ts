import { randomBytes } from 'node:crypto';
import { getBase58Decoder, getBase58Encoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { Base58Error, decodeBase58, encodeBase58 } from './base58.ts';

describe('base58', () => {
  it('agrees with kit in both directions for random bytes of every length up to 80', () => {
    const decoder = getBase58Decoder();
    const encoder = getBase58Encoder();
    for (let length = 0; length <= 80; length++) {
      for (let round = 0; round < 20; round++) {
        const bytes = new Uint8Array(randomBytes(length));
        // Leading zeros and ones are the special cases of the encoding.
        bytes.fill(0, 0, round % 4);
        const text = encodeBase58(bytes);
        expect(text).toBe(decoder.decode(bytes));
        expect(decodeBase58(text)).toEqual(bytes);
        expect(decodeBase58(text)).toEqual(new Uint8Array(encoder.encode(text)));
      }
    }
  });

  it.each([127, 1_231, 1_232, 1_233])('agrees with kit for %i bytes: up to a packet and beyond', (length) => {
    const bytes = new Uint8Array(randomBytes(length));
    for (const zeros of [0, 1, 5, length]) {
      bytes.fill(0, 0, zeros);
      const text = encodeBase58(bytes);
      expect(text).toBe(getBase58Decoder().decode(bytes));
      expect(decodeBase58(text)).toEqual(bytes);
    }
  });

  it.each([
    ['', ''],
    ['00', '1'],
    ['0000', '11'],
    ['ff', '5Q'],
    ['0001', '12'],
    ['0100', '5R'],
  ])('encodes %s as %s', (hex, text) => {
    const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
    expect(encodeBase58(bytes)).toBe(text);
    expect(decodeBase58(text)).toEqual(bytes);
  });

  it.each([
    ['abc!def', '!', 3],
    ['0', '0', 0],
    ['aO', 'O', 1],
    ['aaI', 'I', 2],
    ['aal', 'l', 2],
    ['é', 'é', 0],
    ['a😀', '😀', 1],
  ])('rejects %s with character and index', (text, character, index) => {
    const error = captureError(() => decodeBase58(text));
    expect(error).toBeInstanceOf(Base58Error);
    expect(error).toMatchObject({ character, index });
  });
});

function captureError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
