import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { requestToken } from './http-exchange.ts';

const request = (url: string, authorization?: string) =>
  ({ url, headers: authorization === undefined ? {} : { authorization } }) as IncomingMessage;

describe('requestToken()', () => {
  it.each([
    ['/', undefined, null],
    ['/?token=abc', undefined, 'abc'],
    ['/path?x=1&token=a%2Bb', undefined, 'a+b'],
    ['/?token=', undefined, null],
    ['//?token=abc', undefined, 'abc'],
    ['/?token=abc/getDelegationStatus', undefined, 'abc'],
    ['/?token=/getDelegationStatus', undefined, null],
    ['/', 'Bearer abc', 'abc'],
    ['/', 'Basic abc', null],
    ['/?token=query', 'Bearer header', 'header'],
    ['/?token=query', 'Basic abc', 'query'],
  ])('reads %s with authorization %s as %s', (url, authorization, token) => {
    expect(requestToken(request(url, authorization))).toBe(token);
  });

  it.each(['bearer abc', 'BEARER abc', 'Bearer  abc', 'bEaReR   abc '])(
    'accepts the scheme in any case and with any number of spaces: %s',
    (authorization) => {
      expect(requestToken(request('/', authorization))).toBe('abc');
    },
  );

  it.each(['Bearer', 'Bearer ', 'Bearer abc def', 'Bearer\tabc', 'Bearer:abc', 'Bearer=abc', 'bearerabc'])(
    'uses %j for an invalid token, and null without one',
    (authorization) => {
      expect(requestToken(request('/', authorization))).toBe('');
      expect(requestToken(request('/?token=query', authorization))).toBe('');
    },
  );
});
