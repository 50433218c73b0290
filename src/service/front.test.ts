import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildOperation, readOperation, SECRET } from '../../test/conformance/fixture-operations.ts';
import { recordErrors, startService } from '../../test/conformance/running-service.ts';
import { createClientFinder } from '../http/client-address.ts';
import { type HttpServer, startHttpServer } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import { systemRandom } from '../ports/random.ts';
import { createFront } from './front.ts';
import { readJsonBody } from './json-body.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { ServiceOptions } from './service-handler.ts';

let logger: ReturnType<typeof recordErrors>;

beforeEach(() => {
  logger = recordErrors();
});

/** A request as a proxy at this address passes it on. */
function forwarded(client: string): string {
  const body = JSON.stringify({ client });
  const head = ['POST /asked HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  return [...head, `X-Forwarded-For: ${client}`, `Content-Length: ${body.length}`, '', body].join('\r\n');
}

describe('createFront', () => {
  it('serves the clients behind a trusted proxy in turn (bug: they shared one queue, that of the proxy)', async () => {
    const order: unknown[] = [];
    const all = new EventEmitter();
    const findClient = createClientFinder([{ address: '127.0.0.1', prefix: 32 }]);
    const front = createFront(
      [
        {
          path: '/asked',
          methods: {
            POST: (context) =>
              readJsonBody(context, 1_000, (value) => {
                context.answer({ status: 200 });
                if (order.push((value as { client: string }).client) === 41) all.emit('worked');
              }),
          },
        },
      ],
      {
        hostGuard: () => 'ok',
        surroundings: { logger, random: systemRandom, findClient },
      },
    );
    const server = await startHttpServer('127.0.0.1', 0, front);
    const socket = connect(server.port, '127.0.0.1');
    const worked = once(all, 'worked');
    socket
      .resume()
      .write([...Array.from({ length: 40 }, () => forwarded('10.0.0.1')), forwarded('10.0.0.2')].join(''));
    await worked;
    expect(order.indexOf('10.0.0.2')).toBe(1);
    socket.destroy();
    await server.close();
  });

  it('responds with 500 if a route throws or rejects', async () => {
    const handler = createFront(
      [
        {
          path: '/throws',
          methods: {
            GET: () => {
              throw new Error(SECRET);
            },
          },
        },
        { path: '/rejects', methods: { GET: () => Promise.reject(new Error(SECRET)) } },
      ],
      { hostGuard: () => 'ok', surroundings: { logger, random: systemRandom } },
    );
    const broken = await startHttpServer('127.0.0.1', 0, handler);
    for (const path of ['/throws', '/rejects', '/throws']) {
      const answer = await fetch(broken.url + path);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    }
    expect(logger.lines).toHaveLength(3);
    expect(logger.lines.join()).not.toContain(SECRET);
    await broken.close();
  });

  it('drops a response after the client has disconnected', async () => {
    const late = new EventEmitter();
    let hasLeft = Promise.resolve([] as unknown[]);
    const front = createFront(
      [
        {
          path: '/late',
          methods: { GET: (context) => once(late, 'now').then(() => context.answer({ status: 200 })) },
        },
      ],
      { hostGuard: () => 'ok', surroundings: { logger, random: systemRandom } },
    );
    const patient = await startHttpServer('127.0.0.1', 0, (request, response) => {
      front(request, response);
      hasLeft = once(response, 'close');
      late.emit('asked');
    });
    const socket = connect(patient.port, '127.0.0.1');
    const asked = once(late, 'asked');
    socket.write('GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked;
    socket.destroy();
    await hasLeft;
    late.emit('now');
    await patient.close();
    expect(logger.lines).toEqual([]);
  });
});

describe('API paths', () => {
  const PAGE = 'https://wallet.example';
  const headers = { 'content-type': 'application/json' };
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const deposit = { ...buildOperation, name: 'deposit' } as Operation;

  async function serve(options: Partial<ServiceOptions>): Promise<HttpServer> {
    const operations = [deposit, { ...readOperation, name: 'getBalance' } as Operation];
    return startService({ operations, ...options }, { allowedOrigins: [PAGE] });
  }

  it.each([
    ['/mcp', 'GET, HEAD, POST'],
    ['/v1/spl/deposit', 'POST'],
    ['/v1/spl/balance', 'GET, HEAD'],
  ])('let pages of allowed origins call %s', async (path, allow) => {
    const server = await serve({});
    const preflight = await fetch(server.url + path, {
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(preflight.headers.get('access-control-allow-methods')).toBe(allow);
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['Idempotency-Key', 'X-Merchant-Id', 'Accept-Payment']));
    const call = await fetch(server.url + path, { headers: { origin: PAGE } });
    expect(call.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(call.headers.get('vary')).toContain('Origin');
    await server.close();
  });

  it('return nothing to pages of other origins', async () => {
    const server = await serve({});
    for (const method of ['OPTIONS', 'POST']) {
      const answer = await fetch(`${server.url}/v1/spl/deposit`, {
        method,
        headers: { ...headers, origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      });
      expect(answer.status).toBe(403);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
    await server.close();
  });

  it('treat OPTIONS without a preflight as an unsupported method', async () => {
    const server = await serve({});
    const answer = await fetch(`${server.url}/v1/spl/deposit`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    await server.close();
  });

  it('are limited together for each client, with errors in the format of their protocol', async () => {
    const server = await serve({
      rateLimiter: new RateLimiter({ requestsPerSecond: 2 / 60, burst: 2 }, { now: () => 0 }),
    });
    const first = await fetch(`${server.url}/v1/spl/balance`);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit')).toBe('"client";r=1;t=30');
    expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: ping })).status).toBe(200);

    const rest = await fetch(`${server.url}/v1/spl/balance`);
    expect(rest.status).toBe(429);
    expect(rest.headers.get('retry-after')).toBe('30');
    expect(rest.headers.get('ratelimit-policy')).toBe('"client";q=2;w=60');
    expect(await rest.json()).toMatchObject({ code: 'RATE_LIMITED', error: { code: 'RATE_LIMITED' } });

    const mcp = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: ping });
    expect(mcp.status).toBe(429);
    expect(mcp.headers.get('retry-after')).toBe('30');
    expect(await mcp.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });

    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await server.close();
  });

  it('are not limited by default', async () => {
    const server = await serve({});
    const answer = await fetch(`${server.url}/v1/spl/balance`);
    expect(answer.headers.has('ratelimit')).toBe(false);
    await server.close();
  });
});
