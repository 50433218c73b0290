import { afterEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../../http/server.ts';
import { silentLogger } from '../../ports/logger.ts';
import { BATCH_MAX } from '../dispatcher.ts';
import { LEDGER_METHODS } from '../methods/method-table.ts';
import { dispatcherOn, TEST_VERSION } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { sendRequest } from '../testing/send-request.ts';
import { createReaderDispatchers, createRpcHandler } from './rpc-handler.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Ledgers that differ in their number of transactions. */
function ledgerWith(landedCount: number): FixedLedger {
  return Object.assign(new FixedLedger(), { landedCount });
}

const [whole, nobody, reader] = [1, 2, 3].map(ledgerWith) as [FixedLedger, FixedLedger, FixedLedger];

async function serve(): Promise<string> {
  const dispatchers = createReaderDispatchers(
    {
      node: { ledger: whole, version: TEST_VERSION, featureSet: 7 },
      methods: LEDGER_METHODS,
      batchMax: BATCH_MAX,
      logger: silentLogger,
    },
    {
      publicView: nobody,
      viewOf: (token) => (token === 'good' ? reader : undefined),
    },
  );
  const server = await startHttpServer('127.0.0.1', 0, createRpcHandler(dispatchers));
  servers.push(server);
  return server.url;
}

const COUNT = '{"jsonrpc":"2.0","id":1,"method":"getTransactionCount"}';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a node with readers', () => {
  it.each([
    ['/', {}, 2],
    ['/?token=', {}, 2],
    ['/?token=good', {}, 3],
    ['/any/path?x=1&token=good', {}, 3],
    ['/', { authorization: 'Bearer good' }, 3],
    ['/?token=bad', { authorization: 'Bearer good' }, 3],
    ['/', { authorization: 'bearer good' }, 3],
    ['/', { authorization: 'Bearer  good' }, 3],
    ['/', { authorization: 'Basic Z29vZA==' }, 2],
  ])('answers POST %s with %j according to what its sender may read', async (path, headers, count) => {
    const answer = await sendRequest(await serve(), {
      path,
      headers: { ...JSON_TYPE, ...headers },
      body: COUNT,
    });
    expect(JSON.parse(answer.body)).toMatchObject({ result: count });
  });

  it.each([
    ['/?token=bad', {}],
    ['/?token=good', { authorization: 'Bearer bad' }],
    ['/?token=good', { authorization: 'Bearer' }],
    ['/', { authorization: 'Bearer good good' }],
    ['/', { authorization: 'Bearer:good' }],
  ])('rejects POST %s with %j, readable for web pages', async (path, headers) => {
    const sent = { ...JSON_TYPE, ...headers, origin: 'https://example.com' };
    const answer = await sendRequest(await serve(), { path, headers: sent, body: COUNT });
    expect(answer.status).toBe(401);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': 'Bearer error="invalid_token"',
      'access-control-allow-origin': 'https://example.com',
    });
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining('log in again') });
  });

  it('answers preflights and /health whatever the token', async () => {
    const url = await serve();
    for (const [method, path] of [
      ['OPTIONS', '/?token=bad'],
      ['GET', '/health?token=bad'],
    ] as const) {
      expect((await sendRequest(url, { method, path, headers: {} })).status).toBe(200);
    }
  });
});

it('a node without readers ignores tokens', async () => {
  const server = await startHttpServer('127.0.0.1', 0, createRpcHandler({ dispatch: dispatcherOn(whole) }));
  servers.push(server);
  const headers = { ...JSON_TYPE, authorization: 'Bearer bad' };
  expect((await sendRequest(server.url, { path: '/?token=bad', headers, body: COUNT })).status).toBe(200);
});
