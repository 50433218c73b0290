import { describe, expect, it } from 'vitest';
import { NumberLiteral } from '../../json/plain-json.ts';
import { findIdOf, LineSplitter, type LongLine } from './lines.ts';

const LONG = 'x'.repeat(5_000);

function idOf(line: string): unknown {
  const splitter = new LineSplitter(4_000);
  splitter.push(Buffer.from(line));
  return findIdOf(splitter.end() as LongLine);
}

describe('findIdOf()', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${LONG}"}}`, 7],
    [`{"id": "a\\"b" , "params":"${LONG}"}`, 'a"b'],
    [`{"method":"tools/call","params":{"a":"${LONG}"},"jsonrpc":"2.0","id":8}`, 8],
    [`{"method":"m","params":["${LONG}"],"id":"x","jsonrpc":"2.0"}`, 'x'],
    [`{"jsonrpc":"2.0","id":9007199254740993,"params":"${LONG}"}`, new NumberLiteral('9007199254740993')],
  ])('finds it', (line, id) => {
    expect(idOf(line)).toEqual(id);
  });

  it.each([
    `{"params":{"id":5,"a":"${LONG}"}}`,
    `{"params":{"a":"${LONG}","id":5}}`,
    `{"params":"${LONG}\\"id\\":5}"}`,
    `{"jsonrpc":"2.0","id":{},"params":"${LONG}"}`,
    `{"jsonrpc":"2.0","id":1-2,"params":"${LONG}"}`,
    `[{"params":"${LONG}"},{"id":5}`,
    LONG,
  ])('does not take another for it', (line) => {
    expect(idOf(line)).toBeNull();
  });
});
