import { describe, expect, it } from 'vitest';
import { readBearerToken } from './bearer-token.ts';

describe('readBearerToken', () => {
  it.each([
    ['Bearer abc.def-1_2~3', 'abc.def-1_2~3'],
    ['bearer abc=', 'abc='],
    [undefined, undefined],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['Bearer a?token=b', undefined],
  ])('reads %j as %j', (header, token) => {
    expect(readBearerToken(header)).toBe(token);
  });
});
