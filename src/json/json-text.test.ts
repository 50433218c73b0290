import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMember, hasRepeatedMember, splitItems } from './parse-json.ts';

/** JSON with white space and escapes wherever they may be. */
const json = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t '))
  .map(([text, space]) => `${space}${text}${space}`);

describe('splitItems()', () => {
  it.each([
    ['[]', []],
    [' [ ] ', []],
    ['[1,"a,]",{"b":[2, 3]}]', ['1', '"a,]"', '{"b":[2, 3]}']],
    [
      '\n[ 18446744073709551615 ,\t-1.5e+3, null,true ,false ]',
      ['18446744073709551615', '-1.5e+3', 'null', 'true', 'false'],
    ],
    ['["\\"]","\\\\",[[]],{}]', ['"\\"]"', '"\\\\"', '[[]]', '{}']],
  ])('of %s', (text, items) => {
    expect(splitItems(text)).toEqual(items);
  });

  it('returns every item unchanged', () => {
    fc.assert(
      fc.property(fc.array(json), (items) => {
        expect(splitItems(`[${items.join(',')}]`)).toEqual(items.map((item) => item.trim()));
      }),
    );
  });
});

describe('findMember()', () => {
  it.each([
    ['{}', undefined],
    ['{"result":{"id":1}}', undefined],
    ['{"id":1}', '1'],
    [' { "a" : [ "id" , {"id":2} ] , "id" : "x\\"}" , "b" : null } ', '"x\\"}"'],
    ['{"id":1,"id":18446744073709551615}', '18446744073709551615'],
    ['{"a":"\\"id\\":7","id":[1, 2]}', '[1, 2]'],
  ])('in %s', (text, value) => {
    expect(findMember(text, 'id')).toBe(value);
  });

  it('finds what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('id', 'a', 'b'), json), (members) => {
        const text = `{${Object.entries(members)
          .map(([name, value]) => `"${name}":${value}`)
          .join(',')}}`;
        expect(findMember(text, 'id')).toBe(members['id']?.trim());
      }),
    );
  });
});

describe('hasRepeatedMember()', () => {
  it.each([
    '{"id":1,"id":1}',
    '{"id":1,"result":{"a":[]},"id":2}',
    '{"result":null,"x":"}","result":5}',
    '{"id":1,"\\u0069d":2}',
    '{ "error" : null , "error"\n:{}}',
    '{"":1,"":2}',
    '{"a\\"b":1,"a\\"b":2}',
  ])('finds the repeated member in %s', (text) => {
    JSON.parse(text);
    expect(hasRepeatedMember(text)).toBe(true);
  });

  it.each([
    '{}',
    '{"id":1,"result":"id"}',
    '{"id":"id","result":"result"}',
    '{"result":{"id":1},"id":1}',
    '{"result":[{"id":1,"id":2}],"id":1}',
    '{"a":"\\"id\\":1","id":1,"b":"{[\\\\"}',
    '[{"id":1},{"id":1}]',
    '"id"',
    '5',
  ])('finds none in %s', (text) => {
    JSON.parse(text);
    expect(hasRepeatedMember(text)).toBe(false);
  });

  it('finds repeated members in any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.nat(), (members, at) => {
        const entries = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
        expect(hasRepeatedMember(`{${entries.join(',')}}`)).toBe(false);
        const again = entries[at % Math.max(entries.length, 1)];
        if (again !== undefined) expect(hasRepeatedMember(`{${entries.join(',')},${again}}`)).toBe(true);
      }),
    );
  });
});
