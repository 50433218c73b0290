import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenOperation, readOperation, SECRET } from '../../test/conformance/fixture-operations.ts';
import { HttpClient, sendRaw } from '../../test/conformance/http-client.ts';
import { recordErrors, startService } from '../../test/conformance/running-service.ts';
import type { HttpServer } from '../http/server.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { createServiceHandler } from './service-handler.ts';

let logger: ReturnType<typeof recordErrors>;
let server: HttpServer;
let client: HttpClient;

beforeEach(async () => {
  logger = recordErrors();
  server = await startService({ logger });
  client = new HttpClient(server.port);
});

afterEach(async () => {
  client.close();
  await server.close();
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/health', 200, undefined],
    ['HEAD', '/health', 200, undefined],
    ['POST', '/health', 405, 'GET, HEAD'],
    ['OPTIONS', '/health', 405, 'GET, HEAD'],
    ['GET', '/.well-known/mcp.json', 200, undefined],
    ['HEAD', '/.well-known/mcp.json', 200, undefined],
    ['DELETE', '/.well-known/mcp.json', 405, 'GET, HEAD'],
    ['GET', '/mcp/server-card', 200, undefined],
    ['POST', '/mcp/server-card', 405, 'GET, HEAD'],
    ['GET', '/mcp?from=browser', 200, undefined],
    ['GET', '/', 302, undefined],
    ['POST', '/', 405, 'GET, HEAD'],
    ['GET', '/doc', 200, undefined],
    ['GET', '/reference', 200, undefined],
    ['GET', '/v1/spl/deposit', 404, undefined],
    ['GET', '/mcp/', 200, undefined],
    ['GET', '/MCP', 404, undefined],
    ['GET', '//mcp', 404, undefined],
    ['GET', '/%6Dcp', 404, undefined],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 404, undefined],
    ['GET', '/__proto__', 404, undefined],
  ])('%s %s: %i', async (method, path, status, allow) => {
    const answer = await client.ask({ method, path });
    expect(answer.status).toBe(status);
    expect(answer.headers.allow).toBe(allow);
    if (method === 'HEAD') expect(answer.text).toBe('');
    if (status !== 302) expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
  });

  it.each([
    ['application/json', '{"status":"ok"}'],
    ['text/html, application/json;q=0.9', '{"status":"ok"}'],
    ['application/json;q=0', 'ok'],
    ['*/*', 'ok'],
  ])('answers /health to Accept: %s with %s', async (accept, body) => {
    expect((await client.ask({ method: 'GET', path: '/health', headers: { accept } })).text).toBe(body);
  });

  it("names MCP, REST and the ledgers' ports for a POST to /", async () => {
    const { text } = await client.ask({ method: 'POST', path: '/' });
    expect(text).toContain(
      'the MCP endpoint is /mcp, /reference describes the REST API, and the ledger node and the rollup have',
    );
    expect((await client.ask({ method: 'PUT', path: '/' })).text).toContain('This path allows GET, HEAD"');
  });

  it('finds the path in an absolute target', async () => {
    const answer = await sendRaw(
      server.port,
      'GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 OK.*\r\n\r\nok$/s);
  });

  it('answers an unknown path with problem details', async () => {
    const answer = await client.ask({
      method: 'GET',
      path: '/nothing',
      headers: { 'x-request-id': 'abc-1' },
    });
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.text)).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This path does not exist; the MCP endpoint is /mcp, and /reference describes the REST API',
      instance: '/nothing#abc-1',
      code: 'NOT_FOUND',
      requestId: 'abc-1',
      error: {
        code: 'NOT_FOUND',
        message: 'This path does not exist; the MCP endpoint is /mcp, and /reference describes the REST API',
      },
    });
  });

  it('responds to probes of Kubernetes by address, but not to foreign pages (bug: both got 403)', async () => {
    const probe = { method: 'GET', path: '/health', headers: { host: '10.0.0.5:8787' } };
    expect(await client.ask(probe)).toMatchObject({ status: 200, text: 'ok' });
    const page = { ...probe, headers: { ...probe.headers, origin: 'http://10.0.0.5:8787' } };
    expect((await client.ask(page)).status).toBe(403);
  });

  it('rejects callers from other origins on every path', async () => {
    for (const path of ['/.well-known/mcp.json', '/nothing']) {
      const answer = await client.ask({ method: 'GET', path, headers: { host: 'evil.example.com' } });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'FOREIGN_HOST' });
    }
  });
});

describe('prepared responses', () => {
  it.each(['/doc', '/reference', '/mcp', '/mcp/server-card', '/.well-known/mcp.json'])(
    'HEAD %s has the content length of GET',
    async (path) => {
      const { headers, text } = await client.ask({ method: 'GET', path });
      const head = await client.ask({ method: 'HEAD', path });
      expect(head.headers['content-length']).toBe(headers['content-length']);
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    },
  );

  it.each([7, 'größer €', null])('the list of tools is complete with the id %j', async (id) => {
    const answer = await client.ask({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
    });
    expect(JSON.parse(answer.text)).toMatchObject({
      id,
      result: { tools: [{ name: 'spl.build' }, {}, {}, {}] },
    });
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });
});

describe('request ids', () => {
  const headers = { 'content-type': 'application/json' };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spl.break"}}';

  it('repeats the id of the caller', async () => {
    const answer = await client.ask({ method: 'GET', path: '/health', headers: { 'x-request-id': 'a_b-9' } });
    expect(answer.headers['x-request-id']).toBe('a_b-9');
  });

  it.each(['', 'a b', 'x'.repeat(65), 'a"b', 'a/b'])('does not repeat %j', async (id) => {
    const answer = await client.ask({ method: 'GET', path: '/health', headers: { 'x-request-id': id } });
    expect(answer.headers).not.toHaveProperty('x-request-id');
  });

  it('generates one when a tool fails, and includes it in response, header and log', async () => {
    const answer = await client.ask({ headers, body });
    const id = String(answer.headers['x-request-id']);
    expect(id).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(answer.text).toContain(id);
    expect(logger.lines).toHaveLength(1);
    expect(JSON.parse(logger.lines[0] ?? '')).toMatchObject({
      requestId: id,
      tool: 'spl.break',
      error: 'TypeError',
    });
  });

  it('omits the message of a bug from response and log', async () => {
    const answer = await client.ask({ headers, body });
    expect(answer.text + logger.lines.join()).not.toContain(SECRET);
    expect(logger.lines[0]).toContain('fixture-operations.ts');
  });
});

describe('createServiceHandler', () => {
  const options = { hostGuard: () => 'ok' as const, logger: silentLogger, random: systemRandom };

  it('uses the given body limit', async () => {
    const small = await startService({ bodyBytesMax: 20 });
    const answer = await fetch(`${small.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1}',
    });
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('must not exceed 20 bytes');
    await small.close();
  });

  it('names the configured origin in its documents', async () => {
    const proxied = await startService({ publicOrigin: 'https://pay.example.com/' });
    const card: unknown = await (await fetch(`${proxied.url}/mcp/server-card`)).json();
    expect(card).toMatchObject({
      name: 'com.example.pay/spl-private-payments-api',
      remotes: [{ url: 'https://pay.example.com/mcp' }],
    });
    await proxied.close();
  });

  it('rejects two operations with the same name', () => {
    const operations = [readOperation, { ...brokenOperation, name: 'read' }];
    expect(() => createServiceHandler({ ...options, operations })).toThrow('two tools answer to spl.read');
  });
});
