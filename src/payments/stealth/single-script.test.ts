import { describe, expect, it } from 'vitest';
import { mixesScripts } from './handle.ts';

describe('mixesScripts()', () => {
  it.each([
    ['Cyrillic mixed with Latin', 'p\u0430ypal'],
    ['Greek mixed with Latin', 'alph\u03b1'],
    ['Cyrillic mixed with Greek', '\u03b1\u0430'],
    ['Cherokee mixed with Latin', 'abc\u13a0'],
  ])('%s: yes', (_, text) => {
    expect(mixesScripts(text)).toBe(true);
  });

  it.each([
    ['', ''],
    ['Latin, digits and punctuation', 'alice_42.sol!'],
    ['accents', 'J\u00fcrgen e\u0301'],
    ['Japanese', '\u6f22\u5b57\u304b\u306a\u30ab\u30ca\u30fc'],
    ['Korean', '\ud55c\u56fd'],
    ['Bopomofo', '\u6f22\u3105'],
    ['Cyrillic', '\u0438\u0432\u0430\u043d7'],
    ['Cherokee', '\u13a0\u13a1'],
    ['Han and Latin, which do not look alike', '\u6f22abc'],
    ['emoji', '\u{1f600}\u2764\ufe0f'],
  ])('%s: no', (_, text) => {
    expect(mixesScripts(text)).toBe(false);
  });
});
