import { describe, expect, it } from 'vitest';
import { firstCharacters, plainSymbol, splitHostile } from './pieces.ts';

describe('splitHostile()', () => {
  it('leaves ordinary text of any language as it is', () => {
    const text = 'for lunch, 昼食に, غداء, 🍜';
    expect(splitHostile(text)).toEqual([{ kind: 'text', text }]);
  });

  it.each([
    ['\u001b', '\u241b'],
    ['\n', '\u240a'],
    ['\u007f', '\u2421'],
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u200b', 'U+200B'],
    ['\ufeff', 'U+FEFF'],
    ['\u{e0041}', 'U+E0041'],
    ['\ud800', 'U+D800'],
  ])('shows %j by its name', (character, name) => {
    expect(splitHostile(`a${character}b`)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'control', text: name },
      { kind: 'text', text: 'b' },
    ]);
  });
});

describe('firstCharacters()', () => {
  it('cuts no character in two', () => {
    expect(firstCharacters('🍜🍜🍜', 2)).toBe('🍜🍜');
  });
});

describe('plainSymbol()', () => {
  it('is the symbol where it can stand beside an amount, and none where it could turn that round or hide', () => {
    expect(['USDC', 'wSOL.e', '円'].map(plainSymbol)).toEqual(['USDC', 'wSOL.e', '円']);
    const hostile = ['\u202eCDSU', 'US\u200bDC', 'USDC\u001b[31m', '', ' ', 'A'.repeat(17), null];
    expect(hostile.map(plainSymbol)).toEqual(hostile.map(() => null));
  });
});
