import { describe, expect, it } from 'vitest';
import { UrlKeys } from './upstream-answer.ts';

const keys = new UrlKeys([
  new URL('https://ops:s3cret@a.example/v2/4lchemyKey?api-key=9f86d081%2F884c'),
  new URL('https://solana.example/mainnet/ThisKeyHasNoDigitButIsLong'),
  new URL('https://onlyuser1@b.example/'),
]);

describe('the keys of URLs', () => {
  it.each([
    '4lchemyKey',
    'not at /v2/4lchemyKey, sorry',
    's3cret',
    '9f86d081%2F884c',
    '9f86d081/884c',
    'ThisKeyHasNoDigitButIsLong',
    'onlyuser1',
  ])('are found in %s', (text) => {
    expect(keys.areIn(Buffer.from(text))).toBe(true);
  });

  it.each(['v2', 'mainnet', 'solana-core', 'a.example', 'api-key', 'ops'])('are not in %s', (text) => {
    expect(keys.areIn(Buffer.from(text))).toBe(false);
  });
});

describe('the keys of a URL with user and password', () => {
  // The base64 of `op:hu?nter2` contains a slash and padding.
  const user = new URL('http://op:hu%3Fnter2@a.example/');
  const sent = Buffer.from('op:hu?nter2').toString('base64');

  it.each([
    ['in encoded form', `authorization: Basic ${sent}`],
    ['without padding', sent.replace(/=+$/, '')],
    ['with JSON escapes', JSON.stringify({ authorization: `Basic ${sent}` }).replaceAll('/', '\\/')],
  ])('include the header they are sent in, %s (bug: an echoed one was passed on)', (_, text) => {
    expect(new UrlKeys([user]).areIn(Buffer.from(text))).toBe(true);
  });

  it('do not include the header of another user', () => {
    const other = Buffer.from('op:hunter3').toString('base64');
    expect(new UrlKeys([user]).areIn(Buffer.from(`Basic ${other}`))).toBe(false);
  });
});
