import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildOperation, readOperation } from '../../../test/conformance/fixture-operations.ts';
import { recordErrors, startService } from '../../../test/conformance/running-service.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Operation } from '../../payments/operation.ts';
import { systemClock } from '../../ports/clock.ts';
import { RateLimiter } from '../rate-limiter.ts';
import { AccessTokens } from './access-tokens.ts';
import { Authorizer } from './authorize.ts';
import { type Caller, InvalidCredentials } from './caller.ts';
import { OauthIssuer } from './testing/oauth-issuer.ts';

const ORIGIN = 'https://pay.example.com';
const METADATA = `${ORIGIN}/.well-known/oauth-protected-resource`;

const OPEN = { realm: 'spl-private-payments' };

/** An operation on the path of the deposit that reports the caller as it sees it. */
const seen: unknown[] = [];
const deposit = {
  ...buildOperation,
  name: 'deposit',
  run: (input, caller) => {
    seen.push(caller);
    return buildOperation.run(input as never, caller);
  },
} as Operation;
const send = { ...buildOperation, name: 'sendTransaction', effect: 'send' } as Operation;
const read = { ...readOperation, name: 'getBalance' } as Operation;

const INPUT = { owner: '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE', amount: 1 };

let issuer: OauthIssuer;
let server: HttpServer;
let logger: ReturnType<typeof recordErrors>;
let verifyKey: (key: string) => Promise<Caller>;

beforeEach(async () => {
  seen.length = 0;
  logger = recordErrors();
  issuer = await OauthIssuer.start();
  verifyKey = () => Promise.reject(new InvalidCredentials('The API key is not valid'));
  server = await serve();
});

afterEach(async () => {
  await server.close();
  await issuer.close();
});

function serve(options: Parameters<typeof startService>[0] = {}): Promise<HttpServer> {
  const tokens = new AccessTokens({ issuer: issuer.url, audiences: [ORIGIN], clock: systemClock });
  const keys = { verify: (key: string) => verifyKey(key) };
  return startService({
    operations: [deposit, send, read] as Operation[],
    logger,
    publicOrigin: ORIGIN,
    authorizer: new Authorizer({ keys, tokens, publicOrigin: ORIGIN, logger, clock: systemClock }),
    ...options,
  });
}

interface Sent {
  readonly path?: string;
  readonly authorization?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function post({ path = '/v1/spl/deposit', authorization, headers, body = INPUT }: Sent): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const bearer = async (...given: Parameters<OauthIssuer['sign']> | []): Promise<string> =>
  `Bearer ${await issuer.sign(given[0] ?? ORIGIN, given[1])}`;

/** Reads the parameters of a challenge. */
function challengeOf({ headers }: Response): Record<string, string> {
  const [, parameters = ''] = /^Bearer (.+)$/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return Object.fromEntries(
    [...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const call = (name: string, args: object = INPUT): object => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('a request without credentials', () => {
  it.each([undefined, 'Basic dXNlcjpwYXNz'])(
    'gets 401 and a challenge without an error (%s)',
    async (authorization) => {
      const response = await post({ authorization });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toEqual({
        ...OPEN,
        scope: 'spl:read spl:build',
        resource_metadata: METADATA,
      });
      expect(await response.json()).toMatchObject({ code: 'CREDENTIALS_MISSING', status: 401 });
    },
  );

  it('gets the metadata of the MCP endpoint there, and a JSON-RPC error', async () => {
    const response = await post({ path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'initialize' } });
    expect(response.status).toBe(401);
    expect(challengeOf(response)['resource_metadata']).toBe(`${METADATA}/mcp`);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
  });

  it('is refused before its body is read', async () => {
    const response = await post({ body: { padding: 'x'.repeat(100_000) } });
    expect(response.status).toBe(401);
  });

  it('still reads health, discovery, documents and metadata, and sends preflights', async () => {
    const paths = ['/health', '/.well-known/mcp.json', '/mcp/server-card', '/doc', '/reference'];
    for (const path of paths) expect((await fetch(server.url + path)).status, path).toBe(200);
    const preflight = await fetch(`${server.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Rollup-Authorization');
    expect(preflight.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });
});

describe('invalid credentials', () => {
  it.each([
    [
      'another audience',
      { claims: { aud: 'https://other.example' } },
      'The access token was issued for another service',
    ],
    [
      'another issuer',
      { claims: { iss: 'https://evil.example' } },
      'The access token is from another issuer',
    ],
    ['an expired token', { claims: { exp: 1 } }, 'The access token has expired'],
  ])('of %s get 401 invalid_token', async (_name, terms, description) => {
    for (const path of ['/v1/spl/deposit', '/mcp']) {
      const response = await post({ path, authorization: await bearer(ORIGIN, terms) });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toMatchObject({ error: 'invalid_token', error_description: description });
    }
  });

  it('that are not a token get 401 invalid_token', async () => {
    const response = await post({ authorization: 'Bearer nonsense' });
    expect(response.status).toBe(401);
    expect(challengeOf(response)).toMatchObject({ error: 'invalid_token' });
  });

  it('that are malformed get 400 invalid_request', async () => {
    for (const authorization of ['Bearer', 'Bearer a b', 'Bearer é']) {
      const response = await post({ authorization });
      expect(response.status).toBe(400);
      expect(challengeOf(response)).toMatchObject({ error: 'invalid_request' });
    }
  });

  it('in the query do not count', async () => {
    const token = await issuer.sign(ORIGIN);
    expect((await post({ path: `/v1/spl/deposit?access_token=${token}` })).status).toBe(401);
  });

  it('count against the limit of the address', async () => {
    await server.close();
    const limit = { requestsPerSecond: 1, burst: 2 };
    server = await serve({ rateLimiter: new RateLimiter(limit, { now: () => 0 }) });
    const statuses = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push((await post({ authorization: 'Bearer nonsense' })).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await post({ authorization: await bearer() })).status).toBe(200);
  });
});

describe('credentials that cannot be checked', () => {
  it('get 503 with Retry-After, and one log line without the token', async () => {
    issuer.overrides.set('/.well-known/oauth-authorization-server', [500, '']);
    const authorization = await bearer();
    for (let sent = 0; sent < 2; sent += 1) {
      const response = await post({ authorization });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ code: 'CREDENTIALS_UNCHECKED' });
    }
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines.join()).not.toContain(authorization.slice('Bearer '.length));
    expect(seen).toEqual([]);
  });

  it('of API keys get the same', async () => {
    verifyKey = () => Promise.reject(new Error('connection refused'));
    expect((await post({ authorization: `Bearer spp_${'a'.repeat(43)}` })).status).toBe(503);
  });
});

describe('an authenticated caller', () => {
  it('may call what its scopes permit, over REST and both eras of MCP', async () => {
    const authorization = await bearer();
    expect((await post({ authorization })).status).toBe(200);
    const legacy = await post({ path: '/mcp', authorization, body: call('spl.deposit') });
    expect(await legacy.json()).toMatchObject({ id: 7, result: { structuredContent: { kind: 'build' } } });
    const { params, ...message } = call('spl.deposit') as { params: object };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = await post({
      path: '/mcp',
      authorization,
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'spl.deposit',
      },
      body: { ...message, params: { ...params, _meta: meta } },
    });
    expect(await modern.json()).toMatchObject({ result: { resultType: 'complete' } });
  });

  it.each([
    ['REST', { path: '/v1/transaction/send' }],
    ['MCP', { path: '/mcp', body: call('spl.sendTransaction') }],
    ['MCP under the name without dots', { path: '/mcp', body: call('spl_sendTransaction') }],
  ])('without the scope gets 403 insufficient_scope over %s', async (_name, sent) => {
    const authorization = await bearer(ORIGIN, { claims: { scope: 'spl:read other"' } });
    const response = await post({ ...sent, authorization });
    expect(response.status).toBe(403);
    expect(challengeOf(response)).toEqual({
      ...OPEN,
      error: 'insufficient_scope',
      error_description: 'spl.sendTransaction needs the scope spl:send',
      scope: 'spl:read spl:send',
      resource_metadata: sent.path === '/mcp' ? `${METADATA}/mcp` : METADATA,
    });
    const body: unknown = await response.json();
    if (sent.path === '/mcp') expect(body).toMatchObject({ id: 7, error: { code: -32_000 } });
    else expect(body).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('may call a single tool with a scope of its name', async () => {
    const authorization = await bearer(ORIGIN, { claims: { scope: 'spl.deposit' } });
    expect((await post({ authorization })).status).toBe(200);
    expect((await post({ authorization, path: '/v1/transaction/send' })).status).toBe(403);
    expect((await post({ authorization, path: '/mcp', body: call('spl.deposit') })).status).toBe(200);
  });

  it('without scopes may list the tools, but call none', async () => {
    const authorization = await bearer(ORIGIN, { claims: { scope: '' } });
    const list = await post({
      path: '/mcp',
      authorization,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(list.status).toBe(200);
    expect((await post({ authorization })).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it('is the client in limits, wherever it calls from', async () => {
    await server.close();
    const limit = { requestsPerSecond: 1, burst: 1 };
    server = await serve({ rateLimiter: new RateLimiter(limit, { now: () => 0 }) });
    const [alice, bob] = [await bearer(), await bearer(ORIGIN, { claims: { sub: 'bob' } })];
    expect((await post({ authorization: alice })).status).toBe(200);
    expect((await post({ authorization: alice })).status).toBe(429);
    expect((await post({ authorization: bob })).status).toBe(200);
    expect(seen).toMatchObject([
      { client: 'oauth alice', token: undefined },
      { client: 'oauth bob', token: undefined },
    ]);
  });

  it('has idempotency keys of its own (bug: another caller got the stored response)', async () => {
    const [alice, bob] = [await bearer(), await bearer(ORIGIN, { claims: { sub: 'bob' } })];
    const headers = { 'idempotency-key': 'order-1' };
    const answers = [];
    for (const authorization of [alice, alice, bob]) {
      const response = await post({ authorization, headers });
      answers.push(response.headers.get('idempotent-replayed'));
    }
    expect(answers).toEqual([null, 'true', null]);
  });
});

describe('the token for the rollup', () => {
  it('has its own header, and Authorization never reaches an operation', async () => {
    const authorization = await bearer();
    await post({ authorization });
    await post({ authorization, headers: { 'rollup-authorization': 'Bearer rollup-token' } });
    await post({ authorization, headers: { 'rollup-authorization': 'rollup-token' } });
    expect(seen.map((caller) => (caller as { token?: string }).token)).toEqual([
      undefined,
      'rollup-token',
      undefined,
    ]);
  });

  it('may be in either header of a service that anyone may call', async () => {
    await server.close();
    server = await startService({ operations: [deposit] });
    await post({ authorization: 'Bearer old' });
    await post({ headers: { 'rollup-authorization': 'Bearer new' } });
    await post({ authorization: 'Bearer old', headers: { 'rollup-authorization': 'Bearer new' } });
    expect(seen.map((caller) => (caller as { token?: string }).token)).toEqual(['old', 'new', 'new']);
  });
});

describe('protected resource metadata', () => {
  it.each(['', '/mcp'])('names the resource at "%s" (RFC 9728)', async (path) => {
    const response = await fetch(`${server.url}/.well-known/oauth-protected-resource${path}`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: ORIGIN + path,
      authorization_servers: [issuer.url],
      scopes_supported: ['spl:read', 'spl:build', 'spl:send'],
      bearer_methods_supported: ['header'],
      resource_name: 'SPL Private Payments API',
      resource_documentation: `${ORIGIN}/reference`,
    });
  });

  it('does not exist if the service accepts only API keys', async () => {
    await server.close();
    const keys = { verify: (key: string) => verifyKey(key) };
    server = await serve({ authorizer: new Authorizer({ keys, logger, clock: systemClock }) });
    expect((await fetch(`${server.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
    const response = await post({});
    expect(challengeOf(response)).toEqual({ ...OPEN, scope: 'spl:read spl:build' });
  });
});

it('the OpenAPI document lists the scope of each operation', async () => {
  const document = (await (await fetch(`${server.url}/doc`)).json()) as {
    readonly security: unknown;
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>;
  };
  expect(document.security).toEqual([{ serviceAuth: [] }]);
  expect(document.paths['/v1/spl/deposit']?.['post']?.security).toEqual([{ serviceAuth: ['spl:build'] }]);
  expect(document.paths['/v1/transaction/send']?.['post']?.security).toEqual([
    { serviceAuth: ['spl:send'], rollupAuth: [] },
    { serviceAuth: ['spl:send'] },
  ]);
  expect(document.paths['/health']?.['get']?.security).toEqual([]);
});
