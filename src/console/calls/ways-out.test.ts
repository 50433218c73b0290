import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { KNOWN_CODES, wayOutOf } from './ways-out.ts';

it('has words for codes of the service alone', () => {
  expect(KNOWN_CODES.filter((code) => !(code in ERROR_CODES))).toEqual([]);
});

it('makes up no way out for a code that it does not know', () => {
  expect(wayOutOf('-32602').way).toBe('The answer says what to change.');
});
