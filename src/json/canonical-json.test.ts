import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { readJson } from './read-json.ts';

it.each([
  [
    ' { "b" : [ 1 , {"d":null,"c":"x\\n"} ] , "a" : 18446744073709551615 } ',
    '{"a":18446744073709551615,"b":[1,{"c":"x\\n","d":null}]}',
  ],
  ['[]', '[]'],
  ['{}', '{}'],
  ['[1.5,true,"\\u0061"]', '[1.5,true,"a"]'],
])('writes %s as %s', (text, canonical) => {
  expect(canonicalJson(readJson(text).value)).toBe(canonical);
});
