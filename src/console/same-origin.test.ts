import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createSameOriginGuard } from './console.ts';

const guard = createSameOriginGuard({
  boundHost: '127.0.0.1',
  allowedHosts: ['pay.internal'],
  publicOrigin: 'https://pay.example',
});

const judge = (headers: Record<string, string>): string =>
  guard({ headers: { host: 'localhost:8787', ...headers } } as unknown as IncomingMessage);

describe('the guard of the console', () => {
  it.each([
    [{}],
    [{ origin: 'http://localhost:8787' }],
    [{ host: '127.0.0.1:8787', origin: 'http://127.0.0.1:8787' }],
    [{ host: '[::1]:8787', origin: 'http://[::1]:8787' }],
    [{ host: 'LOCALHOST:8787', origin: 'http://localhost:8787' }],
    [{ host: 'pay.internal', origin: 'https://pay.internal' }],
    // A proxy may send its own name for the service in place of the one that the page has.
    [{ host: '127.0.0.1:8787', origin: 'https://pay.example' }],
    [{ host: 'pay.example', origin: 'https://pay.example' }],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    // A link on another site.
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ])('accepts %j', (headers) => {
    expect(judge(headers)).toBe('ok');
  });

  it.each([
    ['foreign-origin', { origin: 'http://evil.example' }],
    ['foreign-origin', { origin: 'null' }],
    ['foreign-origin', { origin: 'http://localhost:3000' }],
    ['foreign-origin', { origin: 'http://127.0.0.1:8787' }],
    ['foreign-origin', { origin: 'http://localhost:8787.evil.example' }],
    ['foreign-origin', { origin: 'http://localhost:8787, http://localhost:8787' }],
    ['foreign-origin', { origin: 'https://pay.example.evil' }],
    ['foreign-origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['foreign-origin', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    // DNS rebinding: the page and the request have the same name, which leads here for the moment.
    ['foreign-host', { host: 'evil.example:8787', origin: 'http://evil.example:8787' }],
    ['foreign-host', { host: '' }],
    ['foreign-host', { host: 'localhost.evil.example:8787' }],
    ['foreign-host', { host: 'localhost:8787@evil.example' }],
    ['foreign-host', { host: '127.0.0.1.evil.example' }],
  ])('rejects as %s %j', (verdict, headers) => {
    expect(judge(headers)).toBe(verdict);
  });
});
