import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerOutline, LONG_VALUE } from './answer-outline.ts';

function outlineOf(text: string, pieceLength = text.length): string | null {
  const outline = new AnswerOutline();
  for (let at = 0; at < text.length; at += pieceLength) outline.add(text.slice(at, at + pieceLength));
  return outline.text;
}

const long = 'x'.repeat(LONG_VALUE);

describe('the outline of an answer', () => {
  it('is the text itself if no value is long, however it is split', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 9 }),
        (value, cut) => {
          const text = JSON.stringify(value);
          expect(outlineOf(text, cut)).toBe(text);
        },
      ),
    );
  });

  it.each([
    `"${long}"`,
    `["${long}"]`,
    `{"a":[{"b":"]}${long}"}]}`,
    `"${long}\\\\\\""`,
    `["\\\\","${long}"]`,
    `[${'[],'.repeat(LONG_VALUE)}0]`,
  ])('has 0 for a long value, however it is split: %.20s', (value) => {
    const text = `{"id":"\\"1","result":${value},"jsonrpc":"2.0"}\n`;
    for (const cut of [1, 2, 1_000, text.length]) {
      expect(outlineOf(text, cut)).toBe('{"id":"\\"1","result":0,"jsonrpc":"2.0"}\n');
    }
  });

  it.each([
    ['another closing bracket', `{"result":["${long}"},"id":1]`],
    ['one closing bracket too many', `{"result":["${long}"]]},"id":1}`],
    ['a bracket that stays open', `{"result":["${long}","id":1}`],
    ['a string that stays open', `{"result":"${long},"id":1}`],
    ['128 levels', `{"result":${'['.repeat(127)}"${long}"${']'.repeat(127)}}`],
  ])('is null for %s', (_, text) => {
    expect(outlineOf(text)).toBeNull();
    expect(outlineOf(text, 7)).toBeNull();
  });
});
