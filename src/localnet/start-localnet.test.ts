import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../ledger/network-programs/testing/layout-b-dumps.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import type { Localnet } from './localnet.ts';
import { startLocalnet } from './start-localnet.ts';
import {
  ask,
  balanceOf,
  deposit,
  paymentsOf,
  payPrivately,
  privateBalanceOf,
} from './testing/call-localnet.ts';

let localnet: Localnet;
beforeAll(async () => {
  localnet = await startLocalnet();
});
afterAll(() => localnet.close());

const slotOf = (url: string): Promise<unknown> => ask(url, 'getSlot', { commitment: 'processed' });

describe('startLocalnet', () => {
  it('serves both ledgers, their WebSockets, REST and MCP at the addresses it names', async () => {
    const { urls } = localnet;
    expect(await ask(urls.base, 'getHealth')).toBe('ok');
    expect(await ask(urls.rollup, 'getHealth')).toBe('ok');
    for (const url of [urls.baseWebSocket, urls.rollupWebSocket]) {
      const socket = new WebSocket(url);
      socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}'));
      const [message] = (await once(socket, 'message')) as [Buffer];
      expect(JSON.parse(message.toString())).toMatchObject({ id: 1, result: expect.any(Number) });
      socket.terminate();
    }
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const response = await fetch(urls.mcp, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('serverInfo');
  });

  it('funds wallets exactly, and pays privately', async () => {
    const alice = await localnet.createWallet({ sol: 1.5, tokens: 10_000_000n });
    const bob = await localnet.createWallet({ sol: 1, tokens: 1n });
    expect(await ask(localnet.urls.base, 'getBalance', alice.address)).toMatchObject({
      value: 1_500_000_000,
    });
    await deposit(localnet, alice, 7_000_000n);
    await deposit(localnet, bob, 1n);
    await payPrivately(localnet, alice, bob, 2_500_000n);
    expect(await balanceOf(localnet, alice)).toBe(3_000_000n);
    expect(await privateBalanceOf(localnet, alice)).toBe(4_500_000n);
    expect(await privateBalanceOf(localnet, bob)).toBe(2_500_001n);
  });

  it('rejects invalid gifts and transactions without a signer', async () => {
    const { address } = await localnet.createWallet();
    const refusals: [object, string][] = [
      [{}, 'INVALID_ARGUMENTS'],
      [{ sol: 0.000_000_000_1 }, 'INVALID_AMOUNT'],
      [{ sol: -1 }, 'INVALID_AMOUNT'],
      [{ sol: Number.NaN }, 'INVALID_AMOUNT'],
      [{ tokens: 1.5 }, 'INVALID_AMOUNT'],
      [{ tokens: 2n ** 64n }, 'INVALID_AMOUNT'],
      [{ tokens: 1n, mint: address }, 'MINT_NOT_FOUND'],
      [{ tokens: 1n, mint: 'x' }, 'INVALID_ADDRESS'],
    ];
    for (const [gift, code] of refusals) {
      await expect(localnet.fund(address, gift), JSON.stringify(Object.keys(gift))).rejects.toMatchObject({
        code,
      });
    }
    const alice = await localnet.createWallet({ sol: 1, tokens: 1n });
    const built = await paymentsOf(localnet).deposit({
      owner: alice.address,
      mint: localnet.mint,
      amount: 1n,
    });
    await expect(localnet.send(built)).rejects.toThrow(alice.address);
  });

  it('moves time for slots and logins', async () => {
    const { urls } = localnet;
    const alice = await localnet.createWallet({ sol: 1, tokens: 5n });
    await deposit(localnet, alice, 5n);
    const token = await localnet.logIn(alice);
    const payments = paymentsOf(localnet);
    const asked = { address: alice.address, mint: localnet.mint };
    expect(await payments.getPrivateBalance(asked, { token })).toMatchObject({ balance: 5n });
    const before = [await slotOf(urls.base), await slotOf(urls.rollup)] as [number, number];
    await localnet.timeTravel({ ms: 86_400_000 });
    expect(await slotOf(urls.base)).toBeGreaterThanOrEqual(before[0] + 216_000);
    expect(await slotOf(urls.rollup)).toBeGreaterThanOrEqual(before[1] + 1_728_000);
    await expect(payments.getPrivateBalance(asked, { token })).rejects.toMatchObject({
      code: 'AUTH_REFUSED',
    });
    await expect(localnet.timeTravel({ ms: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('rejects settings that are options, and those that open it to the network', async () => {
    const refused = (settings: Record<string, string>) =>
      expect(startLocalnet({ settings }), JSON.stringify(settings)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      });
    await refused({ PORT: '1' });
    await refused({ ROLLUP: 'off' });
    await refused({ HOST: '0.0.0.0' });
    await refused({ LEDGER_SLOT_MS: 'soon' });
    await refused({ LEDGER_SLOT_MSS: '5' });
  });

  it('ignores the environment', async () => {
    process.env['LEDGER_SLOT_MS'] = 'soon';
    try {
      await using other = await startLocalnet({ settings: { LEDGER_SLOT_MS: '100' } });
      expect(await ask(other.urls.base, 'getHealth')).toBe('ok');
    } finally {
      delete process.env['LEDGER_SLOT_MS'];
    }
  });

  it('stores its ledgers in a folder, without snapshots', async () => {
    const dataDir = join(temporaryFolder(), 'ledger');
    const first = await startLocalnet({ dataDir });
    const alice = await first.createWallet({ tokens: 3n });
    await first.timeTravel({ ms: 60_000 });
    await expect(first.snapshot()).rejects.toThrow('dataDir');
    await expect(first.reset()).rejects.toThrow('dataDir');
    await first.close();
    expect(existsSync(dataDir)).toBe(true);
    await using second = await startLocalnet({ dataDir });
    expect(await balanceOf(second, alice)).toBe(3n);
  });

  it('frees its ports if it cannot start', async () => {
    const port = Number(new URL(localnet.urls.base).port);
    await expect(startLocalnet({ ports: { base: port } })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    const folder = temporaryFolder();
    await expect(startLocalnet({ programs: folder, ports: { service: 0 } })).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
    });
  });

  it('stops answering when it is closed, and can be closed repeatedly', async () => {
    const other = await startLocalnet();
    const { base } = other.urls;
    await Promise.all([other.close(), other.close()]);
    await expect(fetch(base)).rejects.toThrow('fetch failed');
    await expect(other.createWallet({ sol: 1 })).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    await expect(other.reset()).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`startLocalnet with ${NO_LAYOUT_B}`, () => {
  it('runs them, and makes delayed payments when they are due', async () => {
    const clock = { startsAtMs: 1_767_225_600_000 };
    await using b = await startLocalnet({ programs: LAYOUT_B_FOLDER ?? '', clock });
    expect(b.layout).toBe('b');
    const alice = await b.createWallet({ sol: 1, tokens: 10_000_000n });
    const bob = await b.createWallet({ sol: 1, tokens: 1n });
    const payments = paymentsOf(b);
    await b.send(await payments.initializeMint({ payer: alice.address, mint: b.mint }), alice);
    const built = await payments.transfer({
      from: alice.address,
      to: bob.address,
      mint: b.mint,
      amount: 4_000_000n,
      minDelayMs: 600_000,
      maxDelayMs: 600_000,
    });
    await b.send(built, alice);
    const held = await b.snapshot();
    expect(await balanceOf(b, bob)).toBe(1n);
    for (let round = 0; round < 2; round++) {
      await b.timeTravel({ ms: 599_000 });
      expect(await balanceOf(b, bob)).toBe(1n);
      await b.timeTravel({ ms: 2_000 });
      expect(await balanceOf(b, bob)).toBe(4_000_001n);
      // Held back once more: the payment is in the books of the snapshot.
      await b.reset(held);
      expect(await balanceOf(b, bob)).toBe(1n);
    }
  });
});
