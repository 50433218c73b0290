import { describe, expect, it } from 'vitest';
import { readBearerToken } from './bearer-token.ts';

describe('readBearerToken', () => {
  it.each([
    ['Bearer abc.def-1_2~3', 'abc.def-1_2~3'],
    ['bearer abc=', 'abc='],
    [undefined, undefined],
    ['Basic abc', undefined],
    ['Bearer', ''],
    ['Bearer a b', ''],
    ['Bearer a?token=b', ''],
  ])('reads %j as %j', (header, token) => {
    expect(readBearerToken(header)).toBe(token);
  });
});
