import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { LoggedCall } from '../../src/console/answers.ts';
import { askRaw, shakeHands } from '../../src/console/testing/raw-request.ts';
import { folderOfFile } from '../folders.ts';
import { startStack, type StackProcess } from '../stack-process.ts';
import { PATIENCE } from '../../src/ports/testing/patience.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

const JSON_TYPE = { 'content-type': 'application/json' };

const GENESIS_HASH = '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash"}';

/** More than enough for both workers to be asked, as connections are handed round. */
const MANY = 4;

describe('the console of two workers', () => {
  let stack: StackProcess;
  let service: string;
  beforeAll(async () => {
    stack = await startStack(await folderOfFile(), { env: { WORKERS: '2' } });
    service = stack.serviceUrl;
  });
  afterAll(() => void stack.child.kill('SIGKILL'));

  it('is that of the process of the ledger, whichever of them is asked', async () => {
    const own = await askRaw(stack.ledgerUrl, '/', { headers: JSON_TYPE, body: GENESIS_HASH });
    for (let count = 0; count < MANY; count += 1) {
      const state = JSON.parse((await askRaw(service, '/console/api/state')).text) as object;
      expect(state).toMatchObject({ play: true, workers: 2, rollup: { kind: 'embedded' } });
      const rpc = await askRaw(service, '/console/rpc/base', { headers: JSON_TYPE, body: GENESIS_HASH });
      expect([rpc.status, rpc.text]).toEqual([200, own.text]);
      const page = await askRaw(service, '/', { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('lists what all of them have answered', async () => {
    const body = JSON.stringify({ owner: WALLET, amount: 1 });
    for (let count = 0; count < MANY; count += 1)
      await askRaw(service, '/v1/spl/deposit', { headers: JSON_TYPE, body });
    // A worker answers first, and then says so.
    await vi.waitFor(async () => {
      const { text } = await askRaw(service, '/console/api/requests');
      const { entries } = JSON.parse(text) as { entries: LoggedCall[] };
      expect(entries.filter(({ call }) => call === 'spl.deposit')).toHaveLength(MANY);
      expect(text).not.toContain(WALLET);
    }, PATIENCE);
  });

  it('has no logins for assistants, which no process could share: a call is answered as without a page', async () => {
    const meta = 'io.modelcontextprotocol/';
    const name = 'spl.getPrivateBalance';
    const params = {
      name,
      arguments: { address: WALLET, mint: WALLET },
      // Where there are logins, one that is not open is refused.
      requestState: 'A'.repeat(43),
      _meta: {
        [`${meta}protocolVersion`]: '2026-07-28',
        [`${meta}clientCapabilities`]: { elicitation: { url: {} } },
      },
    };
    const { text } = await askRaw(service, '/mcp', {
      headers: {
        ...JSON_TYPE,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(JSON.parse(text)).toMatchObject({ result: { resultType: 'complete', isError: true } });
  });

  it('refuses pages of other origins, and limits bodies', async () => {
    for (let count = 0; count < MANY; count += 1) {
      for (const headers of [{ origin: 'http://localhost:3000' }, { host: 'evil.example' }]) {
        expect((await askRaw(service, '/console/api/state', { headers })).status).toBe(403);
        expect(await shakeHands(service, '/console/rpc/base', headers)).toBe(403);
      }
      const body = 'x'.repeat(51_201);
      expect((await askRaw(service, '/console/rpc/base', { headers: JSON_TYPE, body })).status).toBe(413);
    }
  });

  it('has both WebSockets, which end with their clients', async () => {
    for (const path of ['/console/rpc/base', '/console/rpc/rollup']) {
      const socket = new WebSocket(service.replace('http', 'ws') + path, { origin: service });
      const told = await new Promise<string>((resolve, reject) => {
        socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'));
        socket.on('message', (data: Buffer) => resolve(data.toString()));
        socket.on('error', reject);
      });
      expect(JSON.parse(told)).toMatchObject({ id: 1, result: expect.any(Number) });
      socket.close();
      await new Promise((resolve) => socket.on('close', resolve));
    }
  });
});
