import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

function split(chunks: readonly string[], bytesMax = 100): readonly string[] {
  const splitter = new LineSplitter(bytesMax);
  const lines = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
  return [...lines, splitter.end()].map((line) => (line === undefined ? 'too-long' : String(line)));
}

describe('LineSplitter', () => {
  it.each([
    [['a\nb\n'], ['a', 'b', '']],
    [
      ['a', 'b\nc'],
      ['ab', 'c'],
    ],
    [['\n\n'], ['', '', '']],
    [[], ['']],
  ])('splits %j', (chunks, lines) => {
    expect(split(chunks)).toEqual(lines);
  });

  it('splits independently of chunks', () =>
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,6}$/)), (chunks) => {
        expect(split(chunks)).toEqual(chunks.join('').split('\n'));
      }),
    ));

  it('reports a line over the limit and continues', () => {
    expect(split(['12345\n123456\n12', '3456', '\n1'], 5)).toEqual(['12345', 'too-long', 'too-long', '1']);
  });
});
