import { expect, it } from 'vitest';
import { printable } from './terminal.ts';

it.each([
  ['\u0000', String.raw`\u0000`],
  ['\n', String.raw`\u000a`],
  ['\t', String.raw`\u0009`],
  ['\u001b', String.raw`\u001b`],
  ['\u007f', String.raw`\u007f`],
  ['\u009b', String.raw`\u009b`],
  ['\u2028', String.raw`\u2028`],
  ['\u202e', String.raw`\u202e`],
  ['\u2066', String.raw`\u2066`],
])('escapes %j, which a terminal would execute', (character, escape) => {
  expect(printable(`a${character}b${character}`)).toBe(`a${escape}b${escape}`);
});

it('does not change text of any language', () => {
  const text = String.raw`für 昼食 غداء 🍜 C:\new "quoted"`;
  expect(printable(text)).toBe(text);
});

it('does not change the value of a JSON line', () => {
  const value = { log: '\u001b]0;\u0007\u009b2J\u202e\n' };
  const line = printable(JSON.stringify(value));
  expect(line).toMatch(/^[ -~]*$/);
  expect(JSON.parse(line)).toEqual(value);
});
