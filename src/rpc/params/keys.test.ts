import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../solana/base58.ts';
import { findHashFault, verifyAddress, verifySignature } from './readers.ts';

const ofBytes = (count: number): string => encodeBase58(new Uint8Array(count).fill(255));

describe.each([
  ['verifyAddress()', verifyAddress, 32, 44],
  ['verifySignature()', verifySignature, 64, 88],
] as const)('%s', (_, verify, byteCount, textMax) => {
  it('accepts a text of exactly that many bytes', () => {
    expect(verify(ofBytes(byteCount))).toBe(ofBytes(byteCount));
    expect(verify('1'.repeat(byteCount))).toBe('1'.repeat(byteCount));
  });

  it.each([
    ['a text that is too long, whatever its characters', '!'.repeat(textMax + 1), 'WrongSize'],
    ['a text that is too long in bytes', 'é'.repeat(textMax / 2 + 1), 'WrongSize'],
    ['a character outside the alphabet', 'invalid_key', 'Invalid'],
    ['a letter that the alphabet leaves out', 'l'.repeat(40), 'Invalid'],
    ['a character outside ASCII', 'é', 'Invalid'],
    ['too few bytes', ofBytes(byteCount - 1), 'WrongSize'],
    ['too large a number', 'z'.repeat(textMax), 'WrongSize'],
    ['nothing', '', 'WrongSize'],
  ])('rejects %s', (_case, text, fault) => {
    expect(() => verify(text)).toThrow(
      expect.objectContaining({ code: -32602, message: `Invalid param: ${fault}` }),
    );
  });
});

describe('findHashFault()', () => {
  it('names the fault without a prefix', () => {
    expect(findHashFault(ofBytes(32))).toBeUndefined();
    expect(findHashFault('short')).toBe('WrongSize');
    expect(findHashFault('0')).toBe('Invalid');
  });
});
