import { describe, expect, it } from 'vitest';
import { isLikeAddress } from './handle.ts';

const ADDRESS = 'ncfVtCobNCw3ibuucqvo9bFSh7cCXBt81BuBczsvue6';

describe('isLikeAddress()', () => {
  it.each([
    ['a letter that base58 leaves out', ADDRESS.replace('1', 'l')],
    ['a letter too few', ADDRESS.slice(1)],
    ['a letter too many', `${ADDRESS}x`],
    ['two letters swapped', ADDRESS.replace('nc', 'cn').replace('3', '0')],
    ['small letters alone', ADDRESS.toLowerCase()],
    ['capitals alone', ADDRESS.toUpperCase()],
    ['a letter of another script', ADDRESS.replace('o', '\u043e')],
    ['wide letters', ADDRESS.replace('n', '\uff4e')],
    ['a letter that is not seen', `${ADDRESS.slice(0, 9)}\u200b${ADDRESS.slice(9)}`],
    ['a space behind it', `${ADDRESS} `],
    ['a scheme before it', `solana:${ADDRESS}`],
    ['an address of Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ])('%s: yes', (_, text) => {
    expect(isLikeAddress(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a name', 'john.doe@magicblock.id'],
    ['a long name with signs', 'Alice.Smith.2024@payments.some-very-long-domain.example'],
    ['a sentence', 'The Third John Smith of Nottingham, No. 12'],
    ['words on end', 'thelongesthandlethatonecouldeverimagine'],
    ['one letter again and again', 'h'.repeat(44)],
    ['an identifier with dashes', '123e4567-e89b-12d3-a456-426614174000'],
    ['an identifier in hexadecimal digits', '123e4567e89b12d3a456426614174000'],
    ['a signature', ADDRESS + ADDRESS],
    ['words of another script', '\u039a\u03c9\u03bd\u03c3\u03c4\u03b1\u03bd\u03c4'.repeat(5)],
  ])('%s: no', (_, text) => {
    expect(isLikeAddress(text)).toBe(false);
  });
});
