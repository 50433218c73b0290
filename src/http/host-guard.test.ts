import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createHostGuard, type HostGuardOptions } from './host-guard.ts';

const LOOPBACK: HostGuardOptions = { boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] };
const OPEN: HostGuardOptions = { ...LOOPBACK, boundHost: '0.0.0.0' };
const NAMED: HostGuardOptions = {
  boundHost: '0.0.0.0',
  allowedHosts: ['Pay.Example.com', '2001:db8::1'],
  allowedOrigins: ['https://app.example.com'],
};

function judge(options: HostGuardOptions, host: string | undefined, origin?: string): string {
  const headers = { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) };
  return createHostGuard(options)({ headers } as IncomingMessage);
}

describe('createHostGuard', () => {
  it.each([
    ['localhost', 'ok'],
    ['LOCALHOST:8787', 'ok'],
    ['127.0.0.1:8787', 'ok'],
    ['[::1]:8787', 'ok'],
    ['evil.example.com', 'foreign-host'],
    ['localhost.evil.example.com', 'foreign-host'],
    ['localhost:8787.evil.example.com', 'foreign-host'],
    ['user@localhost', 'foreign-host'],
    ['127.0.0.1.evil.example.com', 'foreign-host'],
    ['', 'foreign-host'],
    [undefined, 'foreign-host'],
  ])('judges Host %s on a loopback listener as %s', (host, verdict) => {
    expect(judge(LOOPBACK, host)).toBe(verdict);
  });

  it.each([
    ['http://localhost:6274', 'ok'],
    ['https://127.0.0.1', 'ok'],
    ['http://[::1]:3000', 'ok'],
    ['null', 'foreign-origin'],
    ['', 'foreign-origin'],
    ['http://evil.example.com', 'foreign-origin'],
    ['http://localhost.evil.example.com', 'foreign-origin'],
    ['http://localhost@evil.example.com', 'foreign-origin'],
    ['http://evil.example.com/localhost', 'foreign-origin'],
    ['file://localhost', 'foreign-origin'],
    ['http://localhost, http://evil.example.com', 'foreign-origin'],
  ])('judges Origin %s as %s', (origin, verdict) => {
    expect(judge(LOOPBACK, 'localhost', origin)).toBe(verdict);
  });

  it('accepts any Host if others can reach the listener and no host is configured', () => {
    expect(judge(OPEN, 'service.internal:8787')).toBe('ok');
    expect(judge(OPEN, 'service.internal', 'http://evil.example.com')).toBe('foreign-origin');
  });

  it.each([
    ['pay.example.com', undefined, 'ok'],
    ['[2001:db8::1]:443', undefined, 'ok'],
    ['localhost', undefined, 'ok'],
    ['other.example.com', undefined, 'foreign-host'],
    ['pay.example.com', 'https://APP.example.com', 'ok'],
    ['pay.example.com', 'https://app.example.com:444', 'foreign-origin'],
    ['pay.example.com', 'http://app.example.com', 'foreign-origin'],
  ])('with configured names judges Host %s and Origin %s as %s', (host, origin, verdict) => {
    expect(judge(NAMED, host, origin)).toBe(verdict);
  });

  it('accepts the address it is bound to', () => {
    expect(judge({ ...LOOPBACK, boundHost: '127.0.0.2' }, '127.0.0.2:8787')).toBe('ok');
    expect(judge({ ...NAMED, boundHost: '192.0.2.7' }, '192.0.2.7:8787')).toBe('ok');
  });
});
