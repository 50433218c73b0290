import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { waitFor } from '../stack-process.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { mainButton, STORY } from './story.ts';
import { watchPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

/** Steps of the story after which Alice and Bob have deposited. */
const DEPOSITED = 4;

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('a page that stays open', () => {
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

  /** Opens a page whose wallets have deposited. */
  async function depositedPage(): Promise<Page> {
    const { page } = await watchPage(browser, app.serviceUrl);
    await page.goto('/');
    for (const [, label] of STORY.slice(0, DEPOSITED))
      await mainButton(page).filter({ hasText: label }).click();
    // Before that, Bob's deposit may be under way.
    await page.getByRole('heading', { name: 'Alice pays Bob.' }).waitFor();
    await walletOf(page).getByText('only Alice can read this').waitFor();
    return page;
  }

  const walletOf = (page: Page) => page.locator('section[aria-label="Alice’s wallet"]');

  it('shows that the base ledger cannot be read, and recovers when it can', async () => {
    const page = await depositedPage();
    let isDown = true;
    let refused = 0;
    // It stays until the end: requests in progress may never be answered after a route is removed.
    await page.route('**/console/rpc/base', async (route) => {
      if (!isDown) return await route.continue();
      refused += 1;
      await route.fulfill({ status: 503, body: '' });
    });
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('2');
    await walletOf(page).getByText('no response', { exact: true }).waitFor();
    expect(await walletOf(page).innerText()).not.toMatch(/nothing|no account yet/);
    expect(refused).toBeGreaterThan(0);
    isDown = false;
    await walletOf(page).getByText('account not found').waitFor();
    await page.context().close();
  });

  it('opens the withdrawal form without an error for its zero (bug: it was red before anyone typed)', async () => {
    const page = await depositedPage();
    await walletOf(page).getByRole('button', { name: 'Withdraw' }).click();
    const amount = page.getByLabel('Amount');
    expect([await amount.inputValue(), await amount.getAttribute('aria-invalid')]).toEqual(['0', 'false']);
    await amount.fill('0.0');
    await page.getByText('Enter more than zero.').waitFor();
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('shows after a reload the outcome of a payment whose answer was lost', async () => {
    const page = await depositedPage();
    await mainButton(page)
      .filter({ hasText: /^Review before signing$/ })
      .click();
    const isTaken = new Promise<void>((taken) => {
      void page.route('**/v1/transaction/send', async (route) => {
        // The service accepts it, and the page closes before it receives the response.
        await route.fetch();
        taken();
      });
    });
    await mainButton(page)
      .filter({ hasText: /^Sign as Alice and send$/ })
      .click();
    await isTaken;
    const kept = await page.evaluate<string>("sessionStorage.getItem('spl-private-payments.sent')");
    expect(kept).not.toMatch(/1250000|lunch/);
    await page.reload();
    await page.getByRole('heading', { name: 'It landed.' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await mainButton(page).filter({ hasText: 'Go on' }).click();
    await mainButton(page)
      .filter({ hasText: /^Start the tour$/ })
      .waitFor();
    await page.context().close();
  });

  it('signs at the first press, even if the user read for longer than the blockhash is valid', async () => {
    // With slots of 40 ms a blockhash is good for six seconds, and not for a minute.
    const quick = await runApp(undefined, { LEDGER_SLOT_MS: '40' });
    onTestFinished(() => quick.close());
    const { page, close } = await watchPage(browser, quick.serviceUrl);
    onTestFinished(close);
    await page.goto('/');
    for (const [, label] of STORY.slice(0, 2)) await mainButton(page).filter({ hasText: label }).click();
    const until = page.getByText(/Valid until block height/);
    const lastHeight = Number(/([\d,]+)\.$/.exec(await until.innerText())?.[1]?.replaceAll(',', ''));
    await waitFor(async () => Number(await quick.ask('getBlockHeight')) > lastHeight);
    await mainButton(page)
      .filter({ hasText: /^Sign as Alice and send$/ })
      .click();
    await page.getByRole('heading', { name: /Bob deposits 1 USDC/ }).waitFor();
  });

  it('leaves the amount of a form empty, not zero, if base could not be read', async () => {
    const page = await depositedPage();
    await page.route('**/console/rpc/base', (route) => route.fulfill({ status: 503, body: '' }));
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('2');
    await walletOf(page).getByText('no response', { exact: true }).waitFor();
    await walletOf(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('The balance could not be read').waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('');
    await page.context().close();
  });

  it('starts over with the same keys after the ledger was reset', async () => {
    const page = await depositedPage();
    const shown = page.locator('section[aria-label="Alice’s wallet"] [data-copy]').first();
    const alice = await shown.getAttribute('data-copy');
    await app.ask('surfnet_resetNetwork');
    await page.getByText('Make a private payment and see who can read it.').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/3\.5|only Alice can read this/);
    for (const [, label] of STORY.slice(0, DEPOSITED))
      await mainButton(page).filter({ hasText: label }).click();
    await walletOf(page).getByText('only Alice can read this').waitFor();
    expect(await shown.getAttribute('data-copy')).toBe(alice);
    await page.context().close();
  });
});
