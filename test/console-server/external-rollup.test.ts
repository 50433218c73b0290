import { expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../src/chain/testing/loopback-server.ts';
import type { ConsoleState } from '../../src/console/answers.ts';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import { LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { startConsole } from './running-console.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const call = (method: string, id = 1): object => ({ jsonrpc: '2.0', id, method });

/** An external rollup that returns its identity and a slot, and records requests and headers. */
async function startRollup(silent: readonly string[] = []) {
  const asked: { readonly url: string; readonly body: string; readonly headers: string }[] = [];
  const results: Readonly<Record<string, unknown>> = {
    getIdentity: { identity: LOCALNET_VALIDATOR },
    getHealth: 'ok',
    getSlot: 2_103,
    getBlockHeight: 2_103,
    getTransactionCount: 7,
  };
  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    asked.push({ url: request.url ?? '', body, headers: JSON.stringify(request.headers) });
    const { id, method } = JSON.parse(body) as { readonly id: number; readonly method: string };
    if (silent.includes(method)) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  });
  onTestFinished(() => server.close());
  return { asked, url: `${server.url.href}secret-key` };
}

/** A stack whose rollup is another program, at a URL that carries a key. */
async function startWithExternal(settings: Record<string, string> = {}, silent: readonly string[] = []) {
  const { asked, url } = await startRollup(silent);
  const app = await startConsole({ ROLLUP: 'external', EPHEMERAL_RPC_URL: url, ...settings });
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    askRaw(app.serviceUrl, '/console/rpc/rollup', {
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  return { app, asked, ask };
}

it('forwards requests of the page to an external rollup at the same origin, single and in batches', async () => {
  const { ask, asked } = await startWithExternal();
  const one = await ask(call('getBlockHeight'));
  expect([one.status, JSON.parse(one.text)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: 2_103 }]);
  const many = await ask([call('getBlockHeight', 1), call('getTransactionCount', 2)]);
  expect(JSON.parse(many.text)).toMatchObject([
    { id: 1, result: 2_103 },
    { id: 2, result: 7 },
  ]);
  expect(asked.map(({ url }) => url)).toEqual(asked.map(() => '/secret-key'));
});

it('forwards no token and no disallowed method', async () => {
  const { ask, asked } = await startWithExternal();
  await ask(call('getBlockHeight'), { authorization: 'Bearer of-the-owner', cookie: 'a=b' });
  expect(asked.filter(({ headers }) => /of-the-owner|a=b/.test(headers))).toEqual([]);
  const before = asked.length;
  const refused = await ask(call('setLogFilter'));
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: -32601 } });
  expect(asked.length).toBe(before);
});

it('rejects pages of other origins', async () => {
  const { ask, asked } = await startWithExternal();
  const before = asked.length;
  expect((await ask(call('getBlockHeight'), { origin: 'https://evil.example' })).status).toBe(403);
  expect(asked.slice(before)).toEqual([]);
});

it('reports that everyone can read the rollup, how it is, and no URL that may include a key', async () => {
  const { app } = await startWithExternal();
  const { text } = await askRaw(app.serviceUrl, '/console/api/state');
  const { rollup, health } = JSON.parse(text) as ConsoleState;
  expect(rollup).toMatchObject({ kind: 'external', identity: LOCALNET_VALIDATOR, readPermissions: false });
  expect(health.rollup).toEqual({ isReady: true, reason: null });
  expect(text).not.toContain('secret-key');
});

it('returns the state while an external rollup hangs (bug: each reader waited until that request timed out)', async () => {
  const { app } = await startWithExternal({}, ['getHealth', 'getIdentity']);
  const readers = [1, 2].map(() => askRaw(app.serviceUrl, '/console/api/state'));
  for (const { status, text } of await Promise.all(readers)) {
    const { rollup, health } = JSON.parse(text) as ConsoleState;
    expect([status, rollup.identity, health.base]).toEqual([200, null, { isReady: true, reason: null }]);
    expect(health.rollup).toEqual({ isReady: false, reason: 'it has not answered yet' });
  }
});

it('does not forward to it if the console is off', async () => {
  const { ask, asked } = await startWithExternal({ CONSOLE: 'off' });
  expect((await ask(call('getBlockHeight'))).status).toBe(404);
  expect(asked).toEqual([]);
});
