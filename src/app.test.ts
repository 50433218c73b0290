import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type App, startApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { FolderStore } from './ledger/store/folder-store.ts';
import { systemClock } from './ports/clock.ts';
import { type Logger, silentLogger } from './ports/logger.ts';
import { systemRandom } from './ports/random.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';

it('limits requests to every port (bug: the nodes had no limit), per client behind a trusted proxy (bug: all clients shared one)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const limit = { RATE_LIMIT_PER_SECOND: '50', RATE_LIMIT_BURST: '2', TRUSTED_PROXIES: '127.0.0.1' };
  const config = readConfig({ ...ports, ...limit, DATA_DIR: folder, ROLLUP: 'embedded' });
  const stopped = { now: () => 1_700_000_000_000 };
  const app = await startApp(
    config,
    { clock: stopped, random: systemRandom, logger: silentLogger },
    { reset: false },
  );
  onTestFinished(() => app.close());
  for (const url of [app.ledgerUrl ?? '', app.rollupUrl ?? '']) {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
    const ask = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await fetch(url, ask)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    // The proxy is trusted: who is behind it has an allowance of their own.
    const forwarded = { ...ask, headers: { ...ask.headers, 'x-forwarded-for': '203.0.113.7' } };
    expect((await fetch(url, forwarded)).status).toBe(200);
  }
  const balance = `${app.serviceUrl}/v1/spl/balance`;
  for (const allowed of [true, true, false]) {
    expect((await fetch(balance)).status === 429).toBe(!allowed);
  }
  const behind = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  expect((await fetch(balance, behind)).status).not.toBe(429);
});

it.each([
  ['GASLESS_SPONSOR_SECRET_KEY', { GASLESS_SPONSOR_SECRET_KEY: '[1]' }],
  ['EPHEMERAL_VALIDATOR', { EPHEMERAL_VALIDATOR: 'z'.repeat(44) }],
  ['CLUSTER_ALLOWED_HOSTS', { CLUSTER_ALLOWED_HOSTS: 'rpc.example:99999' }],
  ['CLUSTER', { CLUSTER: 'devnet' }],
])(
  'creates no ledger for an invalid %s (bug: it created one, and deleted one on reset, before the check)',
  async (name, env) => {
    const folder = await mkdtemp(join(tmpdir(), 'app-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
    const config = readConfig({ ...ports, DATA_DIR: folder, ...env });
    const system = { clock: systemClock, random: systemRandom, logger: silentLogger };
    const fault = { code: 'CONFIG_INVALID', message: expect.stringContaining(name) };
    await expect(startApp(config, system, { reset: true })).rejects.toMatchObject(fault);
    expect(await readdir(folder)).toEqual([]);
  },
);

/** The stack with its rollup in a new folder; both go with the test. */
async function startWithRollup(): Promise<{ app: App; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const config = readConfig({ ...ports, DATA_DIR: folder, ROLLUP: 'embedded', METRICS: 'on' });
  const system = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const app = await startApp(config, system, { reset: false });
  onTestFinished(() => app.close());
  return { app, folder };
}

it('measures the traffic of every listener (bug: WebSockets and the rollup were left out)', async () => {
  const { app } = await startWithRollup();
  expect((await fetch(`${app.rollupUrl}/health`)).status).toBe(200);
  const metrics = await (await fetch(`${app.ledgerUrl}/metrics`)).text();
  for (const listener of ['ledger', 'ledger websocket', 'rollup', 'rollup websocket', 'service']) {
    expect(metrics).toContain(`http_requests_in_flight{face="${listener}"} `);
  }
  expect(metrics).toContain('http_responses_total{face="rollup",status="2xx"} 1\n');
});

it('counts the calls of the tool service by tool and outcome', async () => {
  const { app } = await startWithRollup();
  const balance = `${app.serviceUrl}/v1/spl/balance`;
  await fetch(balance);
  await fetch(`${balance}?address=${OWNER}&mint=${OWNER}`);
  const text = await (await fetch(`${app.serviceUrl}/metrics`)).text();
  expect(text).toContain('service_calls_total{method="spl.getBalance",outcome="refused"} 2\n');
  expect(text).toContain('service_call_duration_seconds_count{method="spl.getBalance"} 2\n');
});

it('is not ready if the rollup cannot be written, and still returns metrics (bugs: ready; the process exited)', async () => {
  const { app } = await startWithRollup();
  const get = async (url: string): Promise<string> => {
    const response = await fetch(url);
    return `${response.status} ${await response.text()}`;
  };
  expect(await get(`${app.rollupUrl}/ready`)).toBe('200 ready\n');
  const rollup = app.ledgers?.rollup?.genesisHash;
  const { commit } = FolderStore.prototype;
  const failing = vi.spyOn(FolderStore.prototype, 'commit').mockImplementation(function (
    this: FolderStore,
    what,
  ) {
    const isRollup = this.identity?.genesisHash === rollup;
    return isRollup ? Promise.reject(new Error('no space left on device')) : commit.call(this, what);
  });
  onTestFinished(() => failing.mockRestore());
  await vi.waitFor(
    async () =>
      expect(await get(`${app.rollupUrl}/ready`)).toBe('503 not ready: the rollup accepts no transactions\n'),
    { timeout: 30_000, interval: 50 },
  );
  expect(await get(`${app.ledgerUrl}/ready`)).toBe('200 ready\n');
  const metrics = await get(`${app.ledgerUrl}/metrics`);
  expect(metrics).toMatch(/^200 /);
  expect(metrics).toContain('\nledger_slot ');
  expect(metrics).not.toContain('\nrollup_settlements_pending ');
});

it("keeps transactions valid when the machine's clock is set a day forward (bug: 216,000 slots passed at once)", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = readConfig({ PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0', DATA_DIR: folder });
  let [now, steady] = [systemClock.now(), 0];
  const clock = { now: () => now, steady: () => steady };
  const app = await startApp(config, { clock, random: systemRandom, logger: silentLogger }, { reset: false });
  onTestFinished(() => app.close());
  for (const url of [app.ledgerUrl ?? '', app.rollupUrl ?? '']) {
    const ask = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      return ((await (await fetch(url, sent)).json()) as { readonly result: unknown }).result;
    };
    const latest = (await ask('getLatestBlockhash')) as { readonly value: { readonly blockhash: string } };
    const slot = await ask('getSlot', [{ commitment: 'processed' }]);
    now += 86_400_000;
    expect(await ask('getSlot', [{ commitment: 'processed' }])).toBe(slot);
    now += 4_000;
    steady += 4_000;
    expect(await ask('getSlot', [{ commitment: 'processed' }])).toBeGreaterThan(Number(slot));
    expect(await ask('isBlockhashValid', [latest.value.blockhash])).toMatchObject({ value: true });
  }
});

it('returns the ports of the nodes in getClusterNodes (bug: nulls)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
  const config = readConfig({ ...ports, DATA_DIR: folder, ROLLUP: 'embedded' });
  const app = await startApp(
    config,
    { clock: systemClock, random: systemRandom, logger: silentLogger },
    { reset: false },
  );
  onTestFinished(() => app.close());
  for (const url of [app.ledgerUrl ?? '', app.rollupUrl ?? '']) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getClusterNodes"}',
    });
    const port = Number(new URL(url).port);
    expect(await answer.json()).toMatchObject({
      result: [
        { rpc: `127.0.0.1:${port}`, pubsub: `127.0.0.1:${port + 1}`, shredVersion: expect.any(Number) },
      ],
    });
  }
});

it('logs calls of the tool service without their arguments if ACCESS_LOG is on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'app-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines: object[] = [];
  const logger: Logger = { ...silentLogger, info: (fields, message) => lines.push({ ...fields, message }) };
  const serve = async (accessLog: string): Promise<App> => {
    const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
    const config = readConfig({ ...ports, DATA_DIR: folder, ACCESS_LOG: accessLog });
    return await startApp(config, { clock: systemClock, random: systemRandom, logger }, { reset: false });
  };
  const call = async ({ serviceUrl }: App): Promise<void> => {
    const post = (path: string, body: object): Promise<Response> =>
      fetch(`${serviceUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer hunter2' },
        body: JSON.stringify(body),
      });
    await post('/v1/spl/deposit', { owner: 'hunter2' });
    await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'spl.getBalance' } });
    await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'hunter2' });
  };
  const isCall = (line: object): boolean => 'call' in line;
  const quiet = await serve('off');
  await call(quiet);
  await quiet.close();
  expect(lines.filter(isCall)).toEqual([]);
  const app = await serve('on');
  onTestFinished(() => app.close());
  await call(app);
  const size = expect.any(Number);
  const facts = { ms: size, requestBytes: size, responseBytes: size, traceId: null, message: 'call' };
  const requestId = expect.stringMatching(/^[\w-]{16}$/);
  expect(lines.filter(isCall)).toEqual([
    { door: 'rest', call: 'spl.deposit', status: 422, code: 'INVALID_ARGUMENTS', requestId, ...facts },
    {
      door: 'mcp',
      call: 'spl.getBalance',
      status: 200,
      code: 'INVALID_ARGUMENTS',
      requestId: null,
      ...facts,
    },
    { door: 'mcp', call: 'unknown', status: 200, code: '-32601', requestId: null, ...facts },
  ]);
});
