import { describe, expect, it } from 'vitest';
import { wellFormedText } from './fields.ts';

const text = wellFormedText('A note.', 8);

describe('wellFormedText', () => {
  it.each(['', 'Order #1', 'é€😀', '\u0000', '😀😀😀😀'])('accepts %j', (value) => {
    expect(text.parse(value)).toBe(value);
  });

  it.each([
    ['only the first half of a surrogate pair', '\ud83d', 'surrogate'],
    ['only the second half of a surrogate pair', 'a\ude00', 'surrogate'],
    ['halves in the wrong order', '\ude00\ud83d', 'surrogate'],
    ['too many characters', '123456789', 'at most 8 characters'],
    ['a number', 5, 'must be a string'],
    ['null', null, 'must be a string'],
  ])('rejects %s', (_, value, message) => {
    expect(text.safeParse(value).error?.issues[0]?.message).toContain(message);
  });
});
