import { describe, expect, it } from 'vitest';
import { isLikeAddress } from './handle.ts';

const ADDRESS = 'ncfVtCobNCw3ibuucqvo9bFSh7cCXBt81BuBczsvue6';

describe('isLikeAddress()', () => {
  it.each([
    ['a letter that base58 does not use', ADDRESS.replace('1', 'l')],
    ['one letter less', ADDRESS.slice(1)],
    ['one letter more', `${ADDRESS}x`],
    ['two letters swapped', ADDRESS.replace('nc', 'cn').replace('3', '0')],
    ['only lowercase letters', ADDRESS.toLowerCase()],
    ['only uppercase letters', ADDRESS.toUpperCase()],
    ['a letter of another script', ADDRESS.replace('o', '\u043e')],
    ['full-width letters', ADDRESS.replace('n', '\uff4e')],
    ['an invisible letter', `${ADDRESS.slice(0, 9)}\u200b${ADDRESS.slice(9)}`],
    ['a trailing space', `${ADDRESS} `],
    ['a leading scheme', `solana:${ADDRESS}`],
    ['an Ethereum address', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ])('%s: yes', (_, text) => {
    expect(isLikeAddress(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a name', 'john.doe@magicblock.id'],
    ['a long name with punctuation', 'Alice.Smith.2024@payments.some-very-long-domain.example'],
    ['a sentence', 'The Third John Smith of Nottingham, No. 12'],
    ['a long run of words', 'thelongesthandlethatonecouldeverimagine'],
    ['one letter repeated', 'h'.repeat(44)],
    ['an identifier with dashes', '123e4567-e89b-12d3-a456-426614174000'],
    ['a hexadecimal identifier', '123e4567e89b12d3a456426614174000'],
    ['a signature', ADDRESS + ADDRESS],
    ['words of another script', '\u039a\u03c9\u03bd\u03c3\u03c4\u03b1\u03bd\u03c4'.repeat(5)],
  ])('%s: no', (_, text) => {
    expect(isLikeAddress(text)).toBe(false);
  });
});
