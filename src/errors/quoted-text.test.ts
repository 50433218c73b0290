import { describe, expect, it } from 'vitest';
import { hasInvisible, quoted } from './quoted-text.ts';

describe('quoted()', () => {
  it.each([
    ['a zero-width space', 'pay\u200bpal', '"pay\\u{200b}pal"'],
    ['a joiner between letters', 'a\u200db', '"a\\u{200d}b"'],
    ['a right-to-left override', 'in\u202evoice', '"in\\u{202e}voice"'],
    ['a tag', 'x\u{e0041}', '"x\\u{e0041}"'],
    ['a filler', 'x\u3164', '"x\\u{3164}"'],
    ['a non-breaking space', 'a\u00a0b', '"a\\u{a0}b"'],
    ['a line separator', 'a\u2028b', '"a\\u{2028}b"'],
    ['a color modifier without an emoji', 'x\ufe0f', '"x\\u{fe0f}"'],
    ['a delete', 'x\u007f', '"x\\u{7f}"'],
    ['a new line', 'a\nb', '"a\\nb"'],
    ['a zero', 'a\u0000b', '"a\\u0000b"'],
  ])('shows %s', (_, text, shown) => {
    expect(quoted(text)).toBe(shown);
    expect(hasInvisible(text)).toBe(true);
  });

  it.each([
    'Order #1042',
    'Miete für März',
    'счёт 7',
    '発注 7',
    '\u2764\ufe0f \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '',
  ])('keeps %j unchanged', (text) => {
    expect(quoted(text)).toBe(JSON.stringify(text));
    expect(hasInvisible(text)).toBe(false);
  });
});
