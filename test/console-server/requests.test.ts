import { describe, expect, it } from 'vitest';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import type { LoggedCall } from '../../src/console/answers.ts';
import { startConsole } from './running-console.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const TOKEN = 'eyJ0b2tlbiI6ImNhbmFyeSJ9';

const JSON_TYPE = { 'content-type': 'application/json' };

const rpc = (method: string, params: unknown[] = []): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** Everything a caller may do, at every door, and then the list of it. */
async function listOf(settings: Record<string, string>): Promise<{ entries: LoggedCall[]; text: string }> {
  const { serviceUrl: service, ledgerUrl, rollupUrl } = await startConsole(settings);
  const base = ledgerUrl ?? '';
  const rollup = rollupUrl ?? '';
  const post = (url: string, path: string, body: object | string, headers: Record<string, string> = {}) =>
    askRaw(url, path, {
      headers: { ...JSON_TYPE, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const tool = (name: string, args: object): object => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  await askRaw(service, `/v1/spl/balance?address=${WALLET}&mint=${USDC}`, {
    headers: { 'x-request-id': 'balance-1' },
  });
  await askRaw(service, `/v1/spl/private-balance?address=${WALLET}&mint=${USDC}`);
  await askRaw(service, `/v1/spl/private-balance?address=${WALLET}&mint=${USDC}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  await post(service, '/v1/spl/deposit', { owner: WALLET, amount: 1 });
  await post(service, '/v1/spl/deposit', { owner: WALLET, amount: -1 });
  await post(service, '/v1/spl/deposit', 'no JSON');
  await post(service, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await post(service, '/mcp', { jsonrpc: '2.0', id: 1, method: WALLET });
  await post(service, '/mcp', tool('spl_deposit', { owner: WALLET, amount: 1 }));
  await post(service, '/mcp', tool('spl.getPrivateBalance', { address: WALLET, mint: USDC }));
  await post(service, '/mcp', tool(WALLET, {}));
  await post(base, '/', rpc('getBalance', [WALLET]));
  await post(base, '/', rpc('requestAirdrop', [WALLET, 1_000_000_000]));
  await post(
    base,
    '/',
    `[${rpc('requestAirdrop', [WALLET, 1_000_000_000])},${rpc('getSlot')},${rpc(WALLET)}]`,
  );
  await post(rollup, '/', rpc('getBalance', [WALLET]));
  await post(rollup, '/', rpc('getBalance', ['not an address']));
  await post(rollup, '/', rpc('sendTransaction', ['AAAA']));
  await post(service, '/console/rpc/base', rpc('getSlot'));
  await post(service, `/console/rpc/base?token=${TOKEN}`, rpc('getHealth'));
  const { text } = await askRaw(service, '/console/api/requests');
  return { entries: (JSON.parse(text) as { entries: LoggedCall[] }).entries, text };
}

describe('the list of requests', () => {
  it('contains requests sent to base and rejected requests, by endpoint, without arguments, queries or tokens', async () => {
    const { entries, text } = await listOf({});
    expect(entries.map(({ door, call, status, code, own }) => [door, call, status, code, own])).toEqual([
      ['rest', 'spl.deposit', 200, null, undefined],
      ['rest', 'spl.deposit', 422, 'INVALID_ARGUMENTS', undefined],
      ['rest', 'spl.deposit', 400, 'BODY_NOT_JSON', undefined],
      ['mcp', 'spl.deposit', 200, null, undefined],
      ['base', 'requestAirdrop', 200, null, undefined],
      ['base', 'requestAirdrop', 200, null, undefined],
      ['base', 'unknown', 200, '-32601', undefined],
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
    const sizes = { requestBytes: 67, responseBytes: expect.any(Number), ms: expect.any(Number) };
    expect(entries[0]).toMatchObject({ requestId: expect.any(String), ...sizes });
    const airdrops = entries.filter(({ call }) => call === 'requestAirdrop');
    expect(airdrops.map(({ requestBytes }) => requestBytes)).toEqual([expect.any(Number), null]);
    expect(entries.every((entry) => !('arguments' in entry))).toBe(true);
    for (const hidden of [WALLET, WALLET.slice(0, 8), USDC, TOKEN, 'token=', 'Bearer', '?']) {
      expect(text, hidden).not.toContain(hidden);
    }
  });

  it('contains every call with its arguments if the operator enables that, but no token', async () => {
    const { entries, text } = await listOf({ CONSOLE_LOG_ARGUMENTS: 'on' });
    expect(entries.map(({ call }) => call)).toEqual(expect.arrayContaining(['sendTransaction', 'getHealth']));
    expect(entries[0]?.arguments).toEqual({ address: WALLET, mint: USDC });
    expect(entries.find(({ door }) => door === 'rollup')?.arguments).toEqual([WALLET]);
    expect(text).not.toContain(TOKEN);
  });

  it.each(['off', 'on'])(
    'uses ids generated here, because callers could choose addresses as ids (arguments: %s)',
    async (kept) => {
      const { serviceUrl } = await startConsole({ CONSOLE_LOG_ARGUMENTS: kept });
      const refused = { ...JSON_TYPE, 'x-request-id': WALLET };
      await askRaw(serviceUrl, '/v1/spl/deposit', { headers: refused, body: 'no JSON' });
      await askRaw(serviceUrl, '/v1/spl/deposit', { headers: JSON_TYPE, body: 'no JSON' });
      const { text } = await askRaw(serviceUrl, '/console/api/requests');
      expect(text).not.toContain(WALLET);
      const { entries } = JSON.parse(text) as { entries: LoggedCall[] };
      expect(entries.map(({ requestId }) => requestId)).toEqual([null, expect.stringMatching(/^[\w-]{16}$/)]);
    },
  );
});
