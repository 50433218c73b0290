import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { requestToken } from './request-token.ts';

const request = (url: string, authorization?: string) =>
  ({ url, headers: authorization === undefined ? {} : { authorization } }) as IncomingMessage;

describe('requestToken()', () => {
  it.each([
    ['/', undefined, null],
    ['/?token=abc', undefined, 'abc'],
    ['/path?x=1&token=a%2Bb', undefined, 'a+b'],
    ['/?token=', undefined, null],
    ['//?token=abc', undefined, 'abc'],
    ['/', 'Bearer abc', 'abc'],
    ['/', 'bearer abc', null],
    ['/', 'Bearer  abc', null],
    ['/', 'Bearer abc def', null],
    ['/', 'Basic abc', null],
    ['/?token=query', 'Bearer header', 'header'],
    ['/?token=query', 'Bearer ', 'query'],
    ['/?token=query', 'Basic abc', 'query'],
  ])('reads %s with authorization %s as %s', (url, authorization, token) => {
    expect(requestToken(request(url, authorization))).toBe(token);
  });
});
