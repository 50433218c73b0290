import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientFinder } from './client-address.ts';

const PROXIES = [
  { address: '10.0.0.0', prefix: 8 },
  { address: '2001:db8::1', prefix: 128 },
];

function find(remoteAddress: string | undefined, headers: Record<string, string>, proxies = PROXIES): string {
  return createClientFinder(proxies)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
}

describe('createClientFinder', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['192.0.2.1, 203.0.113.7', '203.0.113.7'],
    ['192.0.2.1, 203.0.113.7,10.9.9.9', '203.0.113.7'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['2001:db8:5:6::7', '2001:db8:5:6::/64'],
    ['[2001:db8:5:6::7]:80', '2001:db8:5:6::/64'],
    ['203.0.113.7, unknown', '10.0.0.1'],
    ['203.0.113.7, evil', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('finds behind a trusted proxy with X-Forwarded-For "%s" the client %s', (header, client) => {
    expect(find('10.0.0.1', { 'x-forwarded-for': header })).toBe(client);
    expect(find('::ffff:10.0.0.1', { 'x-forwarded-for': header })).toBe(client);
  });

  it.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['For="[2001:db8:5:6::7]:4711";proto=https', '2001:db8:5:6::/64'],
    ['for="192.0.2.1, for=203.0.113.7;by=10.0.0.1', '203.0.113.7'],
    ['proto=https;for=203.0.113.7, for=10.3.3.3', '203.0.113.7'],
    ['for=203.0.113.7, for=_hidden', '10.0.0.1'],
    ['proto=https', '10.0.0.1'],
  ])('finds behind a trusted proxy with Forwarded %s the client %s', (header, client) => {
    expect(find('10.0.0.1', { forwarded: header })).toBe(client);
  });

  it('uses neither header if they name different clients', () => {
    const both = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=198.51.100.9' };
    expect(find('10.0.0.1', both)).toBe('10.0.0.1');
    expect(find('10.0.0.1', { ...both, forwarded: 'for=203.0.113.7' })).toBe('203.0.113.7');
  });

  it('ignores the headers of an untrusted client', () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect(find('192.0.2.1', headers)).toBe('192.0.2.1');
    expect(find('2001:db8::2', headers)).toBe('2001:db8:0:0::/64');
    expect(find(undefined, headers)).toBe('unknown');
    expect(find('10.0.0.1', headers, [])).toBe('10.0.0.1');
  });

  it('trusts a proxy by its IPv6 address', () => {
    expect(find('2001:db8::1', { 'x-forwarded-for': '203.0.113.7' })).toBe('203.0.113.7');
  });
});
