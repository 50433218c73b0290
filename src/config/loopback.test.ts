import { describe, expect, it } from 'vitest';
import { isLoopback } from './exposure.ts';

describe('isLoopback', () => {
  it.each([
    ['localhost', true],
    ['LocalHost', true],
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['127.example.com', false],
    ['127.0.0.999', false],
  ])('%s: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
