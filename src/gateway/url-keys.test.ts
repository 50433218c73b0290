import { describe, expect, it } from 'vitest';
import { createKeyDetector } from './url-keys.ts';

const hasKey = createKeyDetector([
  new URL('https://ops:s3cret@a.example/v2/4lchemyKey?api-key=9f86d081%2F884c'),
  new URL('https://solana.example/mainnet/ThisKeyHasNoDigitButIsLong'),
  new URL('https://onlyuser1@b.example/'),
]);

describe('a key detector', () => {
  it.each([
    '4lchemyKey',
    'not at /v2/4lchemyKey, sorry',
    's3cret',
    '9f86d081%2F884c',
    '9f86d081/884c',
    'ThisKeyHasNoDigitButIsLong',
    'onlyuser1',
  ])('finds one in %s', (text) => {
    expect(hasKey(text)).toBe(true);
  });

  it.each(['v2', 'mainnet', 'solana-core', 'a.example', 'api-key', 'ops'])('takes %s for none', (text) => {
    expect(hasKey(text)).toBe(false);
  });
});
