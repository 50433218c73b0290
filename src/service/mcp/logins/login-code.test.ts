import { expect, it } from 'vitest';
import { systemRandom } from '../../../ports/random.ts';
import { isCode, makeCode } from './asked-logins.ts';

it('makes codes of six characters that are not taken for one another', () => {
  const codes = Array.from({ length: 200 }, () => makeCode(systemRandom));
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{3}-[A-HJ-NP-Z2-9]{3}$/);
  expect(new Set(codes).size).toBeGreaterThan(190);
});

it.each([
  ['ABC-DEF', true],
  ['abc def', true],
  ['abcdef', true],
  ['ABC-DEG', false],
  ['ABC-DEFG', false],
  ['', false],
])('takes %j for ABC-DEF: %s', (typed, isTaken) => {
  expect(isCode(typed, 'ABC-DEF')).toBe(isTaken);
});
