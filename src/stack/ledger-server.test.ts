import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config/config.ts';
import { createHostGuard } from '../http/host-guard.ts';
import { startHttpServer } from '../http/server.ts';
import { openTestLedger } from '../ledger/testing/test-ledger.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { LEDGER_METHODS } from '../rpc/methods/method-table.ts';
import { SURFNET_METHODS } from '../rpc/methods/surfnet/surfnet-methods.ts';
import { sendRequest } from '../rpc/testing/send-request.ts';
import { createLedgerServer } from './ledger-server.ts';
import { nodeContext } from './testing/node-context.ts';

const CHEAT = '{"jsonrpc":"2.0","id":1,"method":"surfnet_pauseClock"}';
const GENESIS_HASH = '{"jsonrpc":"2.0","id":2,"method":"getGenesisHash"}';
const NOT_FOUND = { code: -32601, message: 'Method not found' };
const FOREIGN = 'https://evil.example';

/** A ledger that calls may change, served by a real listener. */
async function startServer() {
  const { ledger, clock } = await openTestLedger();
  const guard = createHostGuard({
    boundHost: '127.0.0.1',
    allowedHosts: [],
    allowedOrigins: ['https://mine.example'],
  });
  const { handler, close } = createLedgerServer(
    { ...nodeContext(readConfig({})), guard, ports: { clock, logger: silentLogger, random: systemRandom } },
    {
      name: 'ledger',
      ledger,
      figures: ledger,
      node: { featureSet: 7, operator: ledger },
      endpoint: null,
      calls: { methods: LEDGER_METHODS, privateMethods: SURFNET_METHODS },
    },
  );
  const server = await startHttpServer('127.0.0.1', 0, handler);
  onTestFinished(async () => {
    await close();
    await server.close();
    await ledger.close();
  });
  const post = async (origin: string | null, body: string) => {
    const headers = { 'content-type': 'application/json', ...(origin !== null && { origin }) };
    return JSON.parse((await sendRequest(server.url, { headers, body })).body);
  };
  return { ledger, url: server.url, post };
}

describe('the methods that rewrite the ledger', () => {
  it('do not exist for foreign pages, which may call all others (bug: any web page could rewrite the ledger)', async () => {
    const { ledger, post } = await startServer();
    expect(await post(FOREIGN, CHEAT)).toMatchObject({ error: NOT_FOUND });
    expect(await post(FOREIGN, `[${GENESIS_HASH},${CHEAT}]`)).toMatchObject([
      { result: ledger.genesisHash },
      { error: NOT_FOUND },
    ]);
    for (const { name } of SURFNET_METHODS) {
      const answer = await post(FOREIGN, `{"jsonrpc":"2.0","id":1,"method":"${name}","params":[]}`);
      expect(answer, name).toMatchObject({ error: NOT_FOUND });
    }
  });

  it.each([
    ['programs', null],
    ['pages of this machine', 'http://localhost:5173'],
    ['allowed pages', 'https://mine.example'],
  ])('are available to %s', async (_, origin) => {
    const { post } = await startServer();
    expect(await post(origin, CHEAT)).toHaveProperty('result');
    expect((await post(origin, `[${CHEAT}]`))[0]).toHaveProperty('result');
  });

  it('do not change the preflight response to foreign pages on any Solana node', async () => {
    const { url } = await startServer();
    const headers = { origin: FOREIGN, 'access-control-request-headers': 'content-type' };
    const preflight = await sendRequest(url, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(200);
    expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': FOREIGN });
  });
});

describe('GET /health', () => {
  it('is not healthy after the ledger has stopped (bug: it was)', async () => {
    const { ledger, url } = await startServer();
    const ask = () => sendRequest(url, { method: 'GET', path: '/health', headers: {} });
    expect(await ask()).toMatchObject({ status: 200, body: 'ok' });
    await ledger.close();
    expect(await ask()).toMatchObject({ status: 503, body: 'unknown' });
  });
});
