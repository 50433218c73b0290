import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMember, splitItems } from './json-text.ts';

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

  it('leaves every item as it stood, whatever it is', () => {
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
