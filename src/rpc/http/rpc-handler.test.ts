import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostGuard } from '../../http/host-guard.ts';
import { InFlight } from '../../http/in-flight.ts';
import { type HttpServer, startHttpServer } from '../../http/server.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { dispatcherOn } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { sendRequest } from '../testing/send-request.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { createRpcHandler, type RpcHandlerOptions } from './rpc-handler.ts';

const servers: HttpServer[] = [];

async function serve(options: Partial<RpcHandlerOptions> = {}): Promise<string> {
  const handler = createRpcHandler({ dispatch: dispatcherOn(new FixedLedger()), ...options });
  const server = await startHttpServer('127.0.0.1', 0, handler);
  servers.push(server);
  return server.url;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const GET_SLOT = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
const SLOT = '{"jsonrpc":"2.0","result":4710,"id":1}\n';
const JSON_TYPE = 'application/json; charset=utf-8';
const LARGE_ADDRESS = addressFilledWith(4);
const TEXT_TYPE = 'text/plain; charset=utf-8';

describe('POST', () => {
  it.each(['/', '/any/path', '/health', '/?query'])('is served on the path %s', async (path) => {
    const answer = await sendRequest(await serve(), { path, body: GET_SLOT });
    expect(answer).toMatchObject({ status: 200, body: SLOT });
    expect(answer.headers).toMatchObject({
      'content-type': JSON_TYPE,
      'content-length': String(SLOT.length),
    });
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset=utf-8'])(
    'is served with the content type %s',
    async (contentType) => {
      const headers = { 'content-type': contentType };
      expect(await sendRequest(await serve(), { headers, body: GET_SLOT })).toMatchObject({
        status: 200,
        body: SLOT,
      });
    },
  );

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json ; charset=utf-8' },
  ])('is rejected with the headers %j', async (headers) => {
    const answer = await sendRequest(await serve(), { headers, body: GET_SLOT });
    expect(answer).toMatchObject({
      status: 415,
      body: 'Supplied content type is not allowed. Content-Type: application/json is required\n',
    });
    expect(answer.headers['content-type']).toBe(TEXT_TYPE);
  });

  it('is rejected if the body is compressed, not treated as broken text', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await sendRequest(await serve(), { headers, body: GET_SLOT });
    expect(answer).toMatchObject({
      status: 415,
      body: 'Content-Encoding must be absent or identity; send the body uncompressed\n',
    });
    expect(answer.headers['accept-encoding']).toBe('identity');
  });

  it('answers errors of calls with status 200', async () => {
    const url = await serve();
    expect(await sendRequest(url, { body: '' })).toMatchObject({
      status: 200,
      body: '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}\n',
    });
    expect(await sendRequest(url, { body: '{"jsonrpc":"2.0","id":1,"method":"nope"}' })).toMatchObject({
      status: 200,
      body: '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}\n',
    });
  });

  it.each(['{"jsonrpc":"2.0","method":"getSlot"}', '[]', '[{"jsonrpc":"2.0","method":"ping"}]'])(
    'answers %s with no body',
    async (body) => {
      const answer = await sendRequest(await serve(), { body });
      expect(answer).toMatchObject({ status: 200, body: '' });
      expect(answer.headers).toMatchObject({ 'content-type': JSON_TYPE, 'content-length': '0' });
    },
  );

  it('counts bytes, not characters', async () => {
    const body = '{"jsonrpc":"2.0","id":"é🦖","method":"getSlot"}';
    const answer = await sendRequest(await serve(), { body });
    expect(answer.body).toBe('{"jsonrpc":"2.0","result":4710,"id":"é🦖"}\n');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)));
  });

  it('is rejected when the body is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"jsonrpc":"é'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(await sendRequest(await serve(), { body })).toMatchObject({
      status: 400,
      body: 'utf-8 encoding error at byte 14 in request body',
    });
  });

  it.each([true, false])('accepts a body of at most 50 KiB, its length declared: %s', async (isDeclared) => {
    const url = await serve();
    const send = (byteCount: number): ReturnType<typeof sendRequest> =>
      sendRequest(url, {
        headers: {
          'content-type': 'application/json',
          ...(isDeclared ? { 'content-length': String(byteCount) } : { 'transfer-encoding': 'chunked' }),
        },
        body: GET_SLOT.padEnd(byteCount),
      });
    expect(await send(51_200)).toMatchObject({ status: 200, body: SLOT });
    const tooLarge = await send(51_201);
    expect(tooLarge).toMatchObject({ status: 413, body: 'request body size exceeds allowed maximum' });
    expect(tooLarge.headers).toMatchObject({ 'content-type': TEXT_TYPE, connection: 'close' });
  });

  it('answers 413 to a client that writes its whole body before it reads (bug: the connection was reset)', async () => {
    const { port } = new URL(await serve());
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      socket.on('error', reject);
      socket.on('close', () => resolve(received));
      socket.write(
        'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n',
      );
      socket.write('x'.repeat(4_000_000));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('request body size exceeds allowed maximum');
  });

  it('accepts larger bodies if configured', async () => {
    const url = await serve({ bodyBytesMax: 60_000 });
    expect(await sendRequest(url, { body: GET_SLOT.padEnd(60_000) })).toMatchObject({
      status: 200,
      body: SLOT,
    });
  });

  it('answers slow methods', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["${'1'.repeat(32)}",5]}`;
    expect((await sendRequest(await serve(), { body })).body).toMatch(
      /^\{"jsonrpc":"2\.0","result":"\w+","id":1\}\n$/,
    );
  });
});

describe('a long answer', () => {
  const account = { ...accountWith(new Uint8Array(2_000_001).fill(0xa5)), owner: SYSTEM_PROGRAM };
  const call = `{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["${LARGE_ADDRESS}",{"encoding":"base64"}]}`;

  it.each([
    ['call', call],
    ['batch', `[${call},${GET_SLOT},${call}]`],
  ])('to a %s is sent completely in one body', async (_kind, body) => {
    const ledger = new FixedLedger();
    ledger.setAccount(LARGE_ADDRESS, account);
    const answer = await sendRequest(await serve({ dispatch: dispatcherOn(ledger) }), { body });
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect(answer.body === `${await dispatcherOn(ledger)(body)}\n`).toBe(true);
    const [first] = [JSON.parse(answer.body)].flat();
    expect(first.result.value.data[0] === Buffer.from(account.data).toString('base64')).toBe(true);
  });
});

describe('more bodies than may be processed at once', () => {
  it('are rejected at once, and accepted again when there is room', async () => {
    const finish: ((answer: string) => void)[] = [];
    const dispatch = () => new Promise<string>((resolve) => finish.push(resolve));
    const inFlight = new InFlight(1);
    const url = await serve({ dispatch, inFlight });
    const first = sendRequest(url, { body: GET_SLOT });
    while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const turnedAway = await sendRequest(url, { body: GET_SLOT });
    expect(turnedAway).toMatchObject({
      status: 503,
      body: '{"jsonrpc":"2.0","error":{"code":-32005,"message":"Node is busy","data":{"numSlotsBehind":null}},"id":null}\n',
    });
    expect(turnedAway.headers).toMatchObject({ 'retry-after': '1', 'content-type': JSON_TYPE });
    finish[0]?.('first');
    expect((await first).body).toBe('first\n');
    expect(inFlight).toMatchObject({ count: 0, refused: 1 });
    const third = sendRequest(url, { body: GET_SLOT });
    while (finish.length === 1) await new Promise((resolve) => setImmediate(resolve));
    finish[1]?.('third');
    expect((await third).body).toBe('third\n');
  });

  it.each<[string, () => Promise<string>]>([
    ['rejects', () => Promise.reject(new Error('a secret'))],
    [
      'throws',
      () => {
        throw new Error('a secret');
      },
    ],
  ])('exclude one whose dispatcher %s (bug: the process died)', async (_, dispatch) => {
    const inFlight = new InFlight(1);
    const lines: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (...line) => lines.push(line) };
    const url = await serve({ dispatch, inFlight, logger });
    for (let time = 0; time < 2; time++) {
      expect(await sendRequest(url, { body: GET_SLOT })).toMatchObject({
        status: 200,
        body: '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":null}\n',
      });
    }
    expect([inFlight.count, lines.length]).toEqual([0, 2]);
  });

  it('include those whose answer is not delivered yet (bug: slow readers could queue without bound)', async () => {
    const inFlight = new InFlight(1);
    const long = JSON.stringify('x'.repeat(16 * 1024 * 1024));
    const { port, href } = new URL(await serve({ dispatch: () => long, inFlight }));
    const slow = connect(Number(port), '127.0.0.1').on('error', () => {});
    slow.pause();
    slow.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1`);
    while (inFlight.queuedBytes === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect((await sendRequest(href, { body: GET_SLOT })).status).toBe(503);
    slow.destroy();
    while (inFlight.count > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect((await sendRequest(href, { body: GET_SLOT })).status).toBe(200);
  });

  it('do not include bodies that are still arriving', async () => {
    const { port, href } = new URL(await serve({ inFlight: new InFlight(1) }));
    const slow = connect(Number(port), '127.0.0.1').on('error', () => {});
    slow.write(
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    expect(await sendRequest(href, { body: GET_SLOT })).toMatchObject({ status: 200, body: SLOT });
    expect(await sendRequest(href, { body: GET_SLOT })).toMatchObject({ status: 200, body: SLOT });
    slow.destroy();
  });
});

describe('other methods', () => {
  it('GET /health returns ok', async () => {
    const url = await serve();
    for (const path of ['/health', '/health?x=1']) {
      const answer = await sendRequest(url, { method: 'GET', path, headers: {} });
      expect(answer).toMatchObject({ status: 200, body: 'ok' });
      expect(answer.headers['content-type']).toBe(TEXT_TYPE);
    }
  });

  it('GET /health returns unknown if the ledger has stopped', async () => {
    let isHealthy = true;
    const url = await serve({ isHealthy: () => isHealthy });
    const ask = () => sendRequest(url, { method: 'GET', path: '/health', headers: {} });
    expect(await ask()).toMatchObject({ status: 200, body: 'ok' });
    isHealthy = false;
    expect(await ask()).toMatchObject({ status: 503, body: 'unknown' });
  });

  it.each([
    ['GET', '/'],
    ['GET', '/healthy'],
    ['PUT', '/'],
    ['DELETE', '/health'],
  ])('%s %s is not allowed', async (method, path) => {
    expect(await sendRequest(await serve(), { method, path, headers: {} })).toMatchObject({
      status: 405,
      body: 'Used HTTP Method is not allowed. POST or OPTIONS is required\n',
    });
  });

  it('OPTIONS lists what is allowed, also for browsers', async () => {
    const url = await serve();
    const plain = await sendRequest(url, { method: 'OPTIONS', headers: {} });
    expect(plain).toMatchObject({ status: 200, body: '' });
    expect(plain.headers).toMatchObject({ allow: 'OPTIONS, POST', accept: 'application/json' });
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin');

    const preflight = await sendRequest(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.com',
        'access-control-request-headers': 'content-type, solana-client',
      },
    });
    expect(preflight.headers).toMatchObject({
      allow: 'OPTIONS, POST',
      vary: 'origin',
      'access-control-allow-origin': 'https://example.com',
      'access-control-allow-methods': 'OPTIONS, POST',
      'access-control-allow-headers': 'content-type, solana-client',
      'access-control-max-age': '86400',
    });
  });
});

describe('origins and hosts', () => {
  it('answers can be read by any page', async () => {
    const headers = { 'content-type': 'application/json', origin: 'https://example.com' };
    const answer = await sendRequest(await serve(), { headers, body: GET_SLOT });
    expect(answer).toMatchObject({ status: 200, body: SLOT });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://example.com',
      vary: 'origin',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-headers');
  });

  it.each(['POST', 'OPTIONS', 'GET'])(
    '%s of a page without an origin of its own is rejected',
    async (method) => {
      const headers = { 'content-type': 'application/json', origin: 'null' };
      const answer = await sendRequest(await serve(), { method, headers, body: GET_SLOT });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatch(/^Origin of the request is not whitelisted\./);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  const dispatchForeign = () => 'what all may call';
  const guard = createHostGuard({
    boundHost: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: ['https://mine.example'],
  });

  it.each([
    ['a request without a page', {}, SLOT],
    ['a page of this machine', { origin: 'http://localhost:3000' }, SLOT],
    ['an allowed page', { origin: 'https://mine.example' }, SLOT],
    ['a foreign page', { origin: 'https://evil.example' }, 'what all may call\n'],
  ])('%s is answered by the right handler', async (_, origin, body) => {
    const headers = { 'content-type': 'application/json', ...origin };
    const url = await serve({ guard, dispatchForeign });
    expect(await sendRequest(url, { headers, body: GET_SLOT })).toMatchObject({ status: 200, body });
  });

  it('Kubernetes can request the health by address (bug: it got a 403)', async () => {
    const url = await serve({ guard });
    const probe = { method: 'GET', path: '/health', headers: { host: '10.0.0.5:8899' } };
    expect(await sendRequest(url, probe)).toMatchObject({ status: 200, body: 'ok' });
    const page = { ...probe, headers: { ...probe.headers, origin: 'http://10.0.0.5:8899' } };
    expect(await sendRequest(url, page)).toMatchObject({ status: 403 });
  });

  it('a request to a foreign host is rejected, but not one from a foreign page', async () => {
    const url = await serve({ guard });
    const headers = { 'content-type': 'application/json', host: 'evil.example' };
    expect(await sendRequest(url, { headers, body: GET_SLOT })).toMatchObject({
      status: 403,
      body: 'Provided Host header is not whitelisted.\n',
    });
    const fromPage = { 'content-type': 'application/json', origin: 'https://example.com' };
    expect(await sendRequest(url, { headers: fromPage, body: GET_SLOT })).toMatchObject({
      status: 200,
      body: SLOT,
    });
  });
});
