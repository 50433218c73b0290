import { describe, expect, it } from 'vitest';
import { firstCharacters, plainSymbol, splitHostile } from './pieces.ts';

describe('splitHostile()', () => {
  it('leaves ordinary text of any language unchanged', () => {
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
  ])('replaces %j with its name', (character, name) => {
    expect(splitHostile(`a${character}b`)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'control', text: name },
      { kind: 'text', text: 'b' },
    ]);
  });
});

describe('firstCharacters()', () => {
  it('never splits a character', () => {
    expect(firstCharacters('🍜🍜🍜', 2)).toBe('🍜🍜');
  });
});

describe('plainSymbol()', () => {
  it('returns a symbol that is safe next to an amount, and none that could reverse or hide it', () => {
    expect(['USDC', 'wSOL.e', '円'].map(plainSymbol)).toEqual(['USDC', 'wSOL.e', '円']);
    const hostile = ['\u202eCDSU', 'US\u200bDC', 'USDC\u001b[31m', '', ' ', 'A'.repeat(17), null];
    expect(hostile.map(plainSymbol)).toEqual(hostile.map(() => null));
  });
});
