import { describe, expect, it } from 'vitest';
import { hasLiteralHost, isAllowed, parseAllowedHost } from './cluster-settings.ts';

describe('parseAllowedHost', () => {
  it.each([
    ['rpc.example.com', { hostname: 'rpc.example.com', port: null }],
    ['RPC.example.com:8899', { hostname: 'rpc.example.com', port: 8899 }],
    ['127.1', { hostname: '127.0.0.1', port: null }],
    ['[0:0::1]:80', { hostname: '[::1]', port: 80 }],
  ])('reads %s', (text, host) => {
    expect(parseAllowedHost(text)).toEqual(host);
  });

  it.each([
    '',
    'https://a.example',
    'a.example/',
    'a.example:0',
    'a.example:65536',
    'a:b',
    '::1',
    'u@a',
    '1.2.3.256',
  ])('rejects %j', (text) => {
    expect(parseAllowedHost(text)).toBeNull();
  });
});

describe('isAllowed', () => {
  it.each([
    ['a.example', 'https://A.example/x?y', true],
    ['a.example', 'https://a.example:443/', true],
    ['a.example', 'https://a.example:8443/', false],
    ['a.example', 'https://b.a.example/', false],
    ['a.example', 'https://a.example./', false],
    ['a.example:443', 'https://a.example/', true],
    ['a.example:443', 'http://a.example/', false],
    ['a.example:8443', 'https://a.example:8443/', true],
    ['a.example:8443', 'https://a.example/', false],
    ['127.0.0.1:80', 'http://2130706433/', true],
  ])('%s, %s: %s', (entry, url, expected) => {
    const host = parseAllowedHost(entry);
    expect(host !== null && isAllowed(host, new URL(url))).toBe(expected);
  });
});

describe('hasLiteralHost', () => {
  it.each([
    ['http://127.0.0.1/', true],
    ['http://0x7f.1/', true],
    ['http://[::1]/', true],
    ['http://a.example/', false],
  ])('%s: %s', (url, expected) => {
    expect(hasLiteralHost(new URL(url))).toBe(expected);
  });
});
