import { getBase58Decoder } from '@solana/kit';
import { assert, property, uint8Array } from 'fast-check';
import { expect, it, describe } from 'vitest';
import {
  decodeBase58,
  isAddress,
  isSignature,
  decodeBase64,
  encodeBase64,
  encodeBase58,
} from './encodings.ts';

it('reads leading zeros', () => {
  expect(decodeBase58('11')).toEqual(Uint8Array.of(0, 0));
  expect(decodeBase58('112')).toEqual(Uint8Array.of(0, 0, 1));
  expect(decodeBase58('5Q')).toEqual(Uint8Array.of(255));
});

it('distinguishes addresses, signatures and other text', () => {
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const signature = '5'.repeat(87);
  expect([isAddress(address), isSignature(address)]).toEqual([true, false]);
  expect([isAddress(signature), isSignature(signature)]).toEqual([false, true]);
  expect([isAddress('1'.repeat(32)), isAddress('1'.repeat(33)), isAddress('0OIl')]).toEqual([
    true,
    false,
    false,
  ]);
});

describe('base58', () => {
  it('writes the same as kit, and reads what it writes', () => {
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
  it('reads what it writes, even with white space', () => {
    assert(
      property(uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text.replaceAll(/.{40}/g, '$&\n'))).toEqual(bytes);
      }),
    );
  });

  it('rejects other characters and an invalid ending', () => {
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
