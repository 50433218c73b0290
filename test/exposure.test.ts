import { describe, expect, it } from 'vitest';
import { askRaw } from '../src/console/testing/raw-request.ts';
import { HandClock } from '../src/ledger/testing/hand-clock.ts';
import { startConsole } from './console-server/running-console.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

/** Settings that name a service behind a proxy on the same machine, without any safety settings. */
const NAMED = {
  PUBLIC_URL: 'https://pay.example.com',
  ALLOWED_HOSTS: 'pay.example.com,rpc.example.com,rollup.example.com',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};

/** The headers of a client's request as the proxy passes them on. */
const from = (client: string, host = 'rpc.example.com') => ({
  'content-type': 'application/json',
  host,
  'x-forwarded-for': client,
});

describe('a stranger behind a proxy for which only names are set (bug: cheats, metrics and no limits)', () => {
  it('changes no ledger without a transaction, and sees no metrics and no console', async () => {
    const { serviceUrl, ledgerUrl, rollupUrl } = await startConsole(NAMED);
    const stranger = { headers: from('203.0.113.7') };
    for (const url of [ledgerUrl ?? '', rollupUrl ?? '']) {
      for (const method of ['surfnet_setAccount', 'surfnet_resetNetwork', 'surfnet_timeTravel']) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
        expect((await askRaw(url, '/', { ...stranger, body })).text, method).toContain('-32601');
      }
    }
    for (const url of [serviceUrl, ledgerUrl ?? '', rollupUrl ?? '']) {
      expect((await askRaw(url, '/health', stranger)).status).toBe(200);
      for (const host of ['rpc.example.com', '127.0.0.1']) {
        const { status } = await askRaw(url, '/metrics', { headers: from('203.0.113.7', host) });
        expect([404, 405], url).toContain(status);
      }
    }
    expect((await askRaw(serviceUrl, '/console/', stranger)).status).toBe(404);
  });

  it('is rate-limited at every listener, without affecting others', async () => {
    const clock = new HandClock();
    const { serviceUrl, ledgerUrl, rollupUrl } = await startConsole(
      { ...NAMED, RATE_LIMIT_BURST: '2' },
      {},
      { clock },
    );
    const body = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
    for (const [url, path, sent] of [
      [ledgerUrl ?? '', '/', { body }],
      [rollupUrl ?? '', '/', { body }],
      [serviceUrl, '/v1/spl/balance', {}],
    ] as const) {
      const isLimited = async (client: string): Promise<boolean> =>
        (await askRaw(url, path, { headers: from(client), ...sent })).status === 429;
      const limited = [await isLimited('203.0.113.7'), await isLimited('203.0.113.7')];
      expect([...limited, await isLimited('203.0.113.7')], url).toEqual([false, false, true]);
      expect(await isLimited('203.0.113.8'), url).toBe(false);
    }
  });

  it('gets at most 10 SOL a minute from the faucet', async () => {
    const { ledgerUrl } = await startConsole(NAMED);
    const airdrop = async (sol: number): Promise<string> => {
      const params = [WALLET, sol * 1_000_000_000];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params });
      return (await askRaw(ledgerUrl ?? '', '/', { headers: from('203.0.113.7'), body })).text;
    };
    expect(await airdrop(11)).toContain('The faucet transfers at most 10 SOL per call');
    expect(await airdrop(10)).toContain('"result"');
    expect(await airdrop(1)).toContain('The faucet transfers at most 10 SOL per address every 60 s');
  });
});
