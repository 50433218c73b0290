import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { askRaw, shakeHands } from '../../src/console/testing/raw-request.ts';
import { SHELL_TEXT } from '../../src/console/testing/shell-folder.ts';
import type { ConsoleState } from '../../src/console/answers.ts';
import { startConsole } from './running-console.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const call = (method: string, params: unknown[] = []): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** An answer without what differs from one to the next. */
const withoutDate = ({
  headers: { date: _date, ...headers },
  status,
  text,
}: Awaited<ReturnType<typeof askRaw>>): object => ({
  status,
  headers,
  text,
});

describe('the tool service with the console', () => {
  it('answers programs at / and everywhere else exactly as without the console', async () => {
    const [on, off] = [await startConsole(), await startConsole({ CONSOLE: 'off' })];
    for (const path of [
      '/',
      '/health',
      '/reference',
      '/v1/spl/balance',
      '/.well-known/mcp.json',
      '/consoles',
    ]) {
      for (const accept of [undefined, '*/*', 'application/json']) {
        const headers = { host: 'localhost', 'x-request-id': 'one', ...(accept && { accept }) };
        const [one, other] = [
          await askRaw(on.serviceUrl, path, { headers }),
          await askRaw(off.serviceUrl, path, { headers }),
        ];
        expect(withoutDate(one), `${path} ${accept}`).toEqual(withoutDate(other));
      }
    }
    expect((await askRaw(on.serviceUrl, '/', { headers: BROWSER })).text).toBe(SHELL_TEXT);
    const headers = { ...BROWSER, origin: on.serviceUrl };
    expect((await askRaw(on.serviceUrl, '/', { headers })).status).toBe(200);
  });

  it.each([{ CONSOLE: 'off' }, { HOST: '0.0.0.0' }])('is not served with %j', async (settings) => {
    const { serviceUrl } = await startConsole(settings);
    expect(await askRaw(serviceUrl, '/', { headers: BROWSER })).toMatchObject({
      status: 302,
      headers: { location: '/reference' },
    });
    for (const path of ['/console', '/console/', '/console/api/state']) {
      expect((await askRaw(serviceUrl, path, { headers: BROWSER })).status, path).toBe(404);
    }
    expect(
      (await askRaw(serviceUrl, '/console/rpc/base', { headers: JSON_TYPE, body: call('getSlot') })).status,
    ).toBe(404);
    expect(await shakeHands(serviceUrl, '/console/rpc/base')).toBe(404);
  });

  it('is served on another HOST if CONSOLE is set, only under its address and the allowed names', async () => {
    const { serviceUrl } = await startConsole({
      HOST: '0.0.0.0',
      CONSOLE: 'on',
      ALLOWED_HOSTS: 'pay.internal',
    });
    const status = async (host: string): Promise<number> =>
      (await askRaw(serviceUrl, '/console/', { headers: { host } })).status;
    expect(await status('pay.internal')).toBe(200);
    expect(await status('rebound.example')).toBe(403);
    const open = await startConsole({ HOST: '0.0.0.0', CONSOLE: 'on' });
    const rebound = { headers: { host: 'rebound.example', origin: 'http://rebound.example' } };
    // The other paths accept any name there, as before; these do not.
    expect((await askRaw(open.serviceUrl, '/health', { headers: { host: 'rebound.example' } })).status).toBe(
      200,
    );
    expect((await askRaw(open.serviceUrl, '/console/api/state', rebound)).status).toBe(403);
    expect((await askRaw(open.serviceUrl, '/console/', { headers: { host: '192.0.2.7:8787' } })).status).toBe(
      200,
    );
  });
});

describe('the ledgers at the origin of the page', () => {
  it('answer like their own ports, including batches', async () => {
    const { serviceUrl, ledgerUrl, rollupUrl } = await startConsole({ LEDGER_SLOT_MS: '60000' });
    for (const [path, own] of [
      ['/console/rpc/base', ledgerUrl ?? ''],
      ['/console/rpc/rollup', rollupUrl ?? ''],
    ] as const) {
      const headers = { ...JSON_TYPE, origin: serviceUrl };
      const body = `[${call('getGenesisHash')},${call('getIdentity')},${call('getEpochSchedule')},${call('nope')}]`;
      const answer = await askRaw(serviceUrl, path, { headers, body });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe((await askRaw(own, '/', { headers: JSON_TYPE, body })).text);
      expect((await askRaw(serviceUrl, path, { headers, body: 'x'.repeat(51_201) })).status).toBe(413);
      expect(
        (await askRaw(serviceUrl, path, { headers: { ...headers, 'content-type': 'text/plain' }, body }))
          .status,
      ).toBe(415);
    }
  });

  it('reject an invalid token, and share the rate limit of their ports', async () => {
    const { serviceUrl, ledgerUrl } = await startConsole({
      RATE_LIMIT_PER_SECOND: '1',
      RATE_LIMIT_BURST: '2',
    });
    const headers = { ...JSON_TYPE, authorization: 'Bearer none' };
    expect((await askRaw(serviceUrl, '/console/rpc/rollup', { headers, body: call('getSlot') })).status).toBe(
      401,
    );
    const ask = (url: string, path: string): Promise<number> =>
      askRaw(url, path, { headers: JSON_TYPE, body: call('getSlot') }).then(({ status }) => status);
    expect(await ask(serviceUrl, '/console/rpc/base')).toBe(200);
    expect(await ask(ledgerUrl ?? '', '/')).toBe(200);
    expect(await ask(serviceUrl, '/console/rpc/base')).toBe(429);
  });

  it('send slots over their WebSockets, and reject pages of other origins', async () => {
    const { serviceUrl } = await startConsole();
    for (const path of ['/console/rpc/base', '/console/rpc/rollup']) {
      const url = serviceUrl.replace('http', 'ws') + path;
      const socket = new WebSocket(url, { origin: serviceUrl });
      const told = await new Promise<string>((resolve, reject) => {
        socket.on('open', () => socket.send(call('slotSubscribe')));
        socket.on('message', (data: Buffer) => resolve(data.toString()));
        socket.on('error', reject);
      });
      expect(JSON.parse(told)).toMatchObject({ id: 1, result: expect.any(Number) });
      socket.terminate();
      for (const origin of ['https://evil.example', 'http://localhost:3000', 'null']) {
        expect(await shakeHands(serviceUrl, path, { origin })).toBe(403);
      }
      expect(
        await shakeHands(serviceUrl, path, { host: 'evil.example', origin: 'http://evil.example' }),
      ).toBe(403);
    }
    expect(await shakeHands(serviceUrl, '/console/rpc/rollup?token=none', { origin: serviceUrl })).toBe(401);
  });

  it('do not include a rollup if the service has none', async () => {
    const { serviceUrl } = await startConsole({ ROLLUP: 'off' });
    expect(
      (await askRaw(serviceUrl, '/console/rpc/rollup', { headers: JSON_TYPE, body: call('getSlot') })).status,
    ).toBe(404);
    const { rollup } = JSON.parse((await askRaw(serviceUrl, '/console/api/state')).text) as ConsoleState;
    expect(rollup).toEqual({ kind: 'none', url: null, identity: null, readPermissions: false });
  });
});

describe('the state', () => {
  it('describes the service to the page', async () => {
    const app = await startConsole();
    const { serviceUrl, ledgerUrl, rollupUrl, ledgers } = app;
    const state = JSON.parse((await askRaw(serviceUrl, '/console/api/state')).text) as ConsoleState;
    expect(state).toMatchObject({
      service: { name: 'spl-private-payments-api' },
      cluster: 'localnet',
      play: true,
      base: {
        url: ledgerUrl,
        layout: 'a',
        notHere: 'The programs of this localnet do not support it. Deposit, pay on the rollup, and withdraw.',
        genesisHash: ledgers?.base.genesisHash,
        programs: expect.arrayContaining([
          { name: 'Ephemeral SPL Token', address: 'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2' },
        ]),
      },
      rollup: {
        kind: 'embedded',
        url: rollupUrl,
        identity: ledgers?.rollup?.identity,
        readPermissions: true,
      },
      mints: [
        { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', decimals: 6, faucet: true },
        { symbol: 'USDC of devnet' },
      ],
      logArguments: false,
      health: { base: { isReady: true, reason: null }, rollup: { isReady: true, reason: null } },
      workers: 1,
      timeTravel: true,
    });
    expect(state.memoryBytes % (16 * 1024 * 1024)).toBe(0);
  });

  it('does not offer test money on a real cluster, and contains no URL that may include a key', async () => {
    const { serviceUrl } = await startConsole({
      BASE_RPC_URL: 'https://rpc.example/secret-key',
      EPHEMERAL_RPC_URL: 'https://rollup.example/secret-key',
    });
    const { text } = await askRaw(serviceUrl, '/console/api/state');
    expect(JSON.parse(text)).toMatchObject({ cluster: 'mainnet', play: false });
    const { mints } = JSON.parse(text) as ConsoleState;
    expect(mints.map(({ mint, symbol, faucet }) => [mint, symbol, faucet])).toEqual([
      ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', false],
      [expect.any(String), 'USDC of devnet', true],
    ]);
    expect(text).not.toContain('secret-key');
  });
});
