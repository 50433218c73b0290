import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openListener } from '../http/server.ts';
import { refuseUpgrade } from '../http/upgrade.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { createReadRoute } from './api-route.ts';
import {
  type ConsoleOptions,
  createConsole,
  createSameOriginGuard,
  type RpcDoor,
  withConsole,
} from './console.ts';
import { readPage } from '../service/page-files.ts';
import { askRaw, shakeHands } from './testing/raw-request.ts';
import { SCRIPT_TEXT, SHELL_TEXT, shellFolder } from './testing/shell-folder.ts';

const SCRIPT = '/console/assets/app.0a1b2c3d.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** A ledger that returns the request it received. */
const DOOR: RpcDoor = {
  handler: (request, response) => {
    request.resume();
    response.end(`${request.method} ${request.url} ${request.headers.authorization}`);
  },
  // No other answer is given with this status.
  upgrade: (_request, socket) => refuseUpgrade(socket, 418, 'a ledger\n'),
};

/** The console before a service that answers everything with the same text. */
async function serve(options: Partial<ConsoleOptions> = {}): Promise<string> {
  const listener = await openListener('127.0.0.1', 0);
  onTestFinished(() => listener.close());
  const console = createConsole({
    guard: createSameOriginGuard({ boundHost: '127.0.0.1', allowedHosts: [], publicOrigin: null }),
    surroundings: { logger: silentLogger, random: systemRandom },
    files: readPage(shellFolder(), silentLogger),
    doors: { base: DOOR, rollup: null },
    api: [
      createReadRoute('/console/api/one', (query) => ({ one: query.get('n') })),
      createReadRoute('/console/api/fault', () => Promise.reject(new Error('secret'))),
    ],
    ...options,
  });
  listener.serve(withConsole((_request, response) => response.end('the service'), console.handler));
  listener.onUpgrade(console.upgrade);
  return listener.url;
}

describe('the page', () => {
  it.each(['/', '/console', '/console/', '/console/books/4zMM', '/console/base/tx/5VERv'])(
    'is served to browsers at %s, with headers that limit what it may do',
    async (path) => {
      const { status, headers, text } = await askRaw(await serve(), path, { headers: { accept: BROWSER } });
      expect([status, text]).toEqual([200, SHELL_TEXT]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
      });
    },
  );

  it.each([undefined, '*/*', 'application/json'])('leaves / to the service for Accept %s', async (accept) => {
    const { text } = await askRaw(await serve(), '/', { headers: accept === undefined ? {} : { accept } });
    expect(text).toBe('the service');
  });

  it('is not sent again to a client that has it cached', async () => {
    const origin = await serve();
    const etag = (await askRaw(origin, '/console/')).headers.etag ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await askRaw(origin, '/console/', { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag } });
    expect(again.headers).not.toHaveProperty('content-length');
  });

  it('reports in one line that it is not built', async () => {
    const { status, text, headers } = await askRaw(await serve({ files: null }), '/console/');
    expect(status).toBe(200);
    expect(text).toContain('The page is not built: run <code>npm run build</code>');
    expect(text.trimEnd()).not.toContain('\n');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('allows only GET and HEAD', async () => {
    const origin = await serve();
    expect(await askRaw(origin, '/console/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const refused = await askRaw(origin, '/console/', { method: 'POST' });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

describe('the files of the page', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('are sent by Accept-Encoding %s as %s, and cached permanently', async (accepted, encoding, open) => {
    const answer = await askRaw(await serve(), SCRIPT, { headers: { 'accept-encoding': accepted } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(open(answer.bytes).toString()).toBe(SCRIPT_TEXT);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
  });

  it.each([
    '/console/assets/secret.txt',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
    '/console/assets/..%2f..%2fetc%2fpasswd',
    '/console/assets/../../../../../../etc/passwd',
    '/console/assets//etc/passwd',
    '/console/assets/app.0a1b2c3d.js.br',
    '/console/assets/__proto__',
    '/console/assets/',
  ])('are only those of the build: %s is not one', async (path) => {
    const { status, text } = await askRaw(await serve(), path);
    expect(status).toBe(404);
    expect(text).not.toMatch(/bytes of nobody|root:|<title>/);
  });
});

describe('the ledgers at the origin of the page', () => {
  it('receive the token of the request', async () => {
    const headers = { authorization: 'Bearer abc', 'content-type': 'application/json' };
    const { text } = await askRaw(await serve(), '/console/rpc/base', { headers, body: '{}' });
    expect(text).toBe('POST /console/rpc/base Bearer abc');
  });

  it.each(['/console/rpc/rollup', '/console/rpc/', '/console/rpc/other'])('are not at %s', async (path) => {
    const origin = await serve();
    expect((await askRaw(origin, path, { body: '{}' })).status).toBe(404);
    expect(await shakeHands(origin, path)).toBe(404);
  });

  it('accept WebSocket handshakes of the page, with a token in the URL, and no others', async () => {
    const origin = await serve();
    expect(await shakeHands(origin, '/console/rpc/base?token=abc', { origin })).toBe(418);
    expect(await shakeHands(origin, '/console/rpc/base')).toBe(418);
    expect(await shakeHands(origin, '/console/')).toBe(404);
    expect(await shakeHands(origin, '/')).toBe(404);
  });
});

describe('a page of another origin', () => {
  const paths = ['/console/', SCRIPT, '/console/api/one', '/console/rpc/base', '/console/rpc/rollup'];

  it.each(paths)('is rejected at %s', async (path) => {
    const origin = await serve();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3000' },
      { origin: 'null' },
      { host: 'evil.example', origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ]) {
      const answer = await askRaw(origin, path, { headers });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect((await askRaw(origin, path, { headers, body: '{}' })).status).toBe(403);
    }
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
    { host: 'evil.example', origin: 'http://evil.example' },
  ])('gets no WebSocket with %j', async (headers) => {
    expect(await shakeHands(await serve(), '/console/rpc/base', headers)).toBe(403);
  });

  it('is not allowed to read by a preflight', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await askRaw(await serve(), '/console/rpc/base', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('the API of the page', () => {
  it('returns JSON that is not cached', async () => {
    const answer = await askRaw(await serve(), '/console/api/one?n=1');
    expect(answer).toMatchObject({ status: 200, text: '{"one":"1"}' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('rejects unknown paths and other methods', async () => {
    const origin = await serve();
    expect((await askRaw(origin, '/console/api/two')).status).toBe(404);
    expect((await askRaw(origin, '/console/api/one', { method: 'POST' })).status).toBe(405);
  });

  it('returns only the request id of a fault', async () => {
    const { status, text } = await askRaw(await serve(), '/console/api/fault');
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({ code: 'INTERNAL_ERROR', requestId: expect.any(String) });
  });

  it('is limited for each client', async () => {
    const isAllowed = [true, false];
    const take = (): { isAllowed: boolean; retryAfterSeconds: number; headers: string[] } => ({
      isAllowed: isAllowed.shift() ?? false,
      retryAfterSeconds: 7,
      headers: ['ratelimit', 'r=0'],
    });
    const origin = await serve({ rateLimiter: { take } });
    expect((await askRaw(origin, '/console/api/one')).status).toBe(200);
    const limited = await askRaw(origin, '/console/api/one');
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '7', ratelimit: 'r=0' } });
    expect((await askRaw(origin, '/console/')).status).toBe(200);
  });
});
