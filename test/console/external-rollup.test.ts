import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp, type LoopbackServer } from '../../src/chain/testing/loopback-server.ts';
import { LOCALNET_VALIDATOR } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { mainButton } from './story.ts';
import { sidewaysPx, watchPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

interface Call {
  readonly id: number;
  readonly method: string;
}

/** The answers of the external rollup. Like MagicBlock's validator, it has no login and shows everything. */
const RESULTS: Readonly<Record<string, unknown>> = {
  getIdentity: { identity: LOCALNET_VALIDATOR },
  getHealth: 'ok',
  getSlot: 2_103,
  getTransactionCount: 7,
  getAccountInfo: { context: { slot: 2_103 }, value: null },
  getSignaturesForAddress: [],
};

const answerTo = ({ id, method }: Call): object => {
  const error = { code: -32601, message: 'Method not found' };
  return { jsonrpc: '2.0', id, ...(method in RESULTS ? { result: RESULTS[method] } : { error }) };
};

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('the page with an external rollup', () => {
  let rollup: LoopbackServer;
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    rollup = await serveHttp(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify('id' in body ? answerTo(body) : body.map(answerTo)));
    });
    app = await runApp(undefined, { ROLLUP: 'external', EPHEMERAL_RPC_URL: `${rollup.url.href}secret-key` });
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
    await rollup?.close();
  });

  it('says that everyone can read it, and calls it without its URL or a token', async () => {
    const { page, foreign, received, settled, close } = await watchPage(browser, app.serviceUrl, {
      width: 390,
      isOverheard: true,
    });
    onTestFinished(close);
    for (const view of ['', 'explorer', 'life', 'explain', 'books', 'requests', 'operations']) {
      await page.goto(`/console/${view}`);
      await settled();
      expect(await page.locator('main .card').count(), view).toBeGreaterThan(0);
      expect(await sidewaysPx(page), view).toBe(0);
    }
    await page.getByText('Everyone can read everything on this rollup.').waitFor();
    await page.goto('/');
    await page.getByText('Catch a drainer').waitFor();
    expect(await page.getByText('sees everything').count()).toBe(0);
    await page.goto('/console/explorer');
    await page.getByText('7 transactions').waitFor();
    const told = await received();
    expect(told.filter(({ text }) => text.includes('secret-key'))).toEqual([]);
    expect(told.filter(({ hasToken }) => hasToken)).toEqual([]);
    expect(foreign).toEqual([]);
  });

  it('ends the tour at the missing login, in plain words, without calling the faucet (bug: “The service rejected the request.” after four airdrops)', async () => {
    const { page, close } = await watchPage(browser, app.serviceUrl);
    onTestFinished(close);
    await page.goto('/');
    const before = await app.ask('getTransactionCount');
    await mainButton(page)
      .filter({ hasText: /^Start the tour$/ })
      .click();
    await page.getByRole('heading', { name: 'This rollup does not support logins.' }).waitFor();
    await page.getByText('a payment on it is not private').waitFor();
    expect(await app.ask('getTransactionCount')).toBe(before);
    await page.getByRole('button', { name: 'Back' }).click();
    await mainButton(page)
      .filter({ hasText: /^Start the tour$/ })
      .waitFor();
  });
});
