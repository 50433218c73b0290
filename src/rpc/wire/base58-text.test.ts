import { describe, expect, it } from 'vitest';
import { decodeBase58Text } from './encoded-transaction.ts';

describe('decodeBase58Text()', () => {
  it('decodes', () => {
    expect(Buffer.from(decodeBase58Text('1Ldp')).toString('hex')).toBe('00010203');
    expect(decodeBase58Text('')).toHaveLength(0);
  });

  // The texts of the Rust crate bs58, whose characters are printed as Rust's `{:?}` prints them.
  it.each([
    ['abc!', `InvalidCharacter { character: '!', index: 3 }`],
    ['0', `InvalidCharacter { character: '0', index: 0 }`],
    ['1l', `InvalidCharacter { character: 'l', index: 1 }`],
    [`1'`, `InvalidCharacter { character: '\\'', index: 1 }`],
    ['1"', `InvalidCharacter { character: '"', index: 1 }`],
    ['1\n', `InvalidCharacter { character: '\\n', index: 1 }`],
    ['1\u0001', `InvalidCharacter { character: '\\u{1}', index: 1 }`],
    ['é', 'NonAsciiCharacter { index: 0 }'],
    ['abc🦖', 'NonAsciiCharacter { index: 3 }'],
  ])('rejects %j with %s', (text, fault) => {
    expect(() => decodeBase58Text(text)).toThrow(
      expect.objectContaining({ code: -32602, message: `invalid base58 encoding: ${fault}` }),
    );
  });
});
