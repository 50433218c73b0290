import type { Browser, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { watchPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

/** A wallet that the faucet gives lamports. */
const WALLET = 'Bh7RxLHZsTtVLE7FR5w6wxqzHGkSTzDTcVCXqBXDURAp';

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('a view whose feed was interrupted', () => {
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await runApp();
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  /** Opens a view of base whose sockets can be cut, and no new one is opened until `heal`. */
  async function openView(path: string) {
    const { page, close } = await watchPage(browser, app.serviceUrl);
    const sockets: WebSocketRoute[] = [];
    let isCut = false;
    await page.routeWebSocket('**/console/rpc/base', (socket) => {
      if (isCut) return void socket.close();
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto(`/console/${path}?as=base`);
    return {
      page,
      close,
      cut: async () => {
        isCut = true;
        for (const socket of sockets) await socket.close();
      },
      heal: () => {
        isCut = false;
      },
    };
  }

  async function airdrop(): Promise<string> {
    const response = await fetch(`${app.serviceUrl}/console/rpc/base`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: app.serviceUrl },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [WALLET, 1_000_000] }),
    });
    return ((await response.json()) as { readonly result: string }).result;
  }

  it('lists transactions that landed during the interruption', async () => {
    const { page, cut, heal, close } = await openView('explorer');
    await page.getByText('live', { exact: true }).waitFor();
    const before = await airdrop();
    await page.locator(`a[title="${before}"]`).waitFor();
    await cut();
    await page.getByText('polling every').waitFor();
    const meanwhile = await airdrop();
    heal();
    await page.getByText('live', { exact: true }).waitFor();
    await page.locator(`a[title="${meanwhile}"]`).waitFor();
    expect(await page.locator(`a[title="${before}"]`).count()).toBe(1);
    await close();
  });

  it('requests the books again', async () => {
    const { page, cut, heal, close } = await openView('books');
    await page.getByText('base ledger, slot').first().waitFor();
    const again = page.waitForRequest('**/console/api/books');
    await cut();
    heal();
    expect((await again).method()).toBe('GET');
    await close();
  });
});
