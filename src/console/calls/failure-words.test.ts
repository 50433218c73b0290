import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../errors/codes.ts';
import { WAYS_OUT } from './failure-words.ts';

it('are of codes of the service alone', () => {
  expect(Object.keys(WAYS_OUT).filter((code) => !(code in ERROR_CODES))).toEqual([]);
});
