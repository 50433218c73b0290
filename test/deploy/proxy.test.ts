import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createClientFinder } from '../../src/http/client-address.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

const NGINX = read('proxy/nginx.conf');
const CADDY = read('proxy/Caddyfile');
const SETTINGS = parseEnv(read('service.env.example'));
const CONFIG = readConfig(SETTINGS);

const CLIENT = '203.0.113.7';
const FORGED = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };

/** The headers of a request of `CLIENT` as nginx passes it on, by its `proxy_set_header`. */
function passedByNginx(headers: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = { ...headers };
  for (const [, name = '', value = ''] of NGINX.matchAll(/^proxy_set_header (\S+) (\S+);$/gm)) {
    if (value === '""') delete passed[name.toLowerCase()];
    else passed[name.toLowerCase()] = value.replace('$remote_addr', CLIENT);
  }
  return passed;
}

/**
 * The same as Caddy does it: it replaces `X-Forwarded-For` of clients it does not trust (reverse_proxy,
 * "Defaults"), and takes away what the file says.
 */
function passedByCaddy(headers: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = { ...headers, 'x-forwarded-for': CLIENT };
  for (const [, name = ''] of CADDY.matchAll(/^\trequest_header -(\S+)$/gm))
    delete passed[name.toLowerCase()];
  return passed;
}

const clientOf = (headers: Readonly<Record<string, string>>): string =>
  createClientFinder(CONFIG.trustedProxies)({
    socket: { remoteAddress: '127.0.0.1' },
    headers,
  } as unknown as IncomingMessage);

const portsIn = (text: string): string[] =>
  [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port = '']) => port);

describe('the example settings behind a proxy', () => {
  it('are valid, and leave no developer feature enabled that needs loopback', () => {
    expect(CONFIG).toMatchObject({
      ledgerCheats: false,
      metrics: false,
      console: false,
      exposure: 'proxy',
      rateLimitPerSecond: 50,
      connectionsPerAddress: HTTP_LIMITS.connectionsMax,
    });
  });

  it.each(['PUBLIC_URL', 'TRUSTED_PROXIES', 'ALLOWED_HOSTS'])(
    'expose no developer features to the internet if only %s shows that they are public',
    (name) => {
      const { [name]: value } = SETTINGS;
      expect(readConfig({ [name]: value })).toMatchObject({ console: false, ledgerCheats: false });
    },
  );

  it('answer to the names that the proxies pass on', () => {
    const names = [...NGINX.matchAll(/server_name (\S+);/g)].map(([, name]) => name);
    expect(CONFIG.allowedHosts.toSorted()).toEqual(names.toSorted());
    expect([...CADDY.matchAll(/^(\S+\.\S+) \{$/gm)].map(([, name]) => name)).toEqual(names);
    expect(new URL(CONFIG.publicUrl ?? '').hostname).toBe(names[0]);
  });
});

describe.each([
  ['nginx', NGINX, passedByNginx],
  ['Caddy', CADDY, passedByCaddy],
])('the example of %s', (_name, text, pass) => {
  it('routes to the tool service, the ledger node and the rollup', () => {
    const { port, ledgerRpcPort, rollupRpcPort } = readConfig({});
    expect(portsIn(text)).toEqual([port, ledgerRpcPort, rollupRpcPort].map(String));
  });

  it('counts requests by client, even if the client names another address', () => {
    expect(clientOf(pass({}))).toBe(clientOf({ 'x-forwarded-for': CLIENT }));
    expect(clientOf(pass(FORGED))).toBe(clientOf(pass({})));
  });

  it('hides the metrics, and limits bodies to the largest default of the listeners', () => {
    expect(text).toMatch(/\/metrics/);
    expect(text).toMatch(/(?:client_max_body_size 64k;|max_size 64KiB)/);
  });

  it('keeps no log of requests, because their URLs may contain tokens', () => {
    expect(text).not.toMatch(/^\s*log\b|access_log (?!off)/m);
  });
});

describe('the example of nginx', () => {
  it('closes idle connections before the listeners do', () => {
    const seconds = [...NGINX.matchAll(/keepalive_timeout (\d+)s/g)].map(([, value]) => Number(value));
    expect(seconds).toHaveLength(3);
    for (const value of seconds) expect(value * 1_000).toBeLessThan(HTTP_LIMITS.keepAliveTimeoutMs);
  });

  it('passes WebSockets on and sends no request twice', () => {
    expect(passedByNginx({})).toMatchObject({ upgrade: '$http_upgrade' });
    expect(NGINX).toContain('proxy_next_upstream off;');
    expect(NGINX).toContain('access_log off;');
  });
});
