import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { originFor } from './request-head.ts';

function requestTo(host: string | undefined, localAddress = '127.0.0.1'): IncomingMessage {
  const headers = host === undefined ? {} : { host };
  return { headers, socket: { localAddress, localPort: 8787 } } as IncomingMessage;
}

describe('originFor', () => {
  it.each([
    ['localhost:8787', 'http://localhost:8787'],
    ['Service.Internal', 'http://service.internal'],
    ['[::1]:8787', 'http://[::1]:8787'],
    ['evil.example.com/path', 'http://127.0.0.1:8787'],
    ['a@b', 'http://127.0.0.1:8787'],
    ['"', 'http://127.0.0.1:8787'],
    // Bug: the origin was not a URL, so paying an order failed with 500.
    ['localhost:99999', 'http://127.0.0.1:8787'],
    ['', 'http://127.0.0.1:8787'],
    [undefined, 'http://127.0.0.1:8787'],
  ])('of Host %j is %s', (host, origin) => {
    expect(originFor(requestTo(host), undefined)).toBe(origin);
  });

  it('puts an IPv6 listener address into brackets', () => {
    expect(originFor(requestTo(undefined, '::1'), undefined)).toBe('http://[::1]:8787');
  });

  it('is the configured one, without a trailing slash', () => {
    expect(originFor(requestTo('localhost'), 'https://pay.example.com/')).toBe('https://pay.example.com');
  });
});
