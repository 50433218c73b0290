import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runApp } from '../client/running-app.ts';
import type { Localnet } from '../../src/localnet/localnet.ts';
import { startLocalnet } from '../../src/localnet/start-localnet.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { mainButton, STORY } from './story.ts';
import { axeFindings, sidewaysPx, watchPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

/** Steps of the story after which Alice and Bob have deposited, and those after which Alice has paid. */
const DEPOSITED = 4;
const PAID = 6;

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('snapshots on the operations page', () => {
  let localnet: Localnet;
  let browser: Browser;
  beforeAll(async () => {
    localnet = await startLocalnet();
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await localnet?.close();
  });

  async function press(page: Page, ...steps: typeof STORY): Promise<void> {
    for (const [, label] of steps) await mainButton(page).filter({ hasText: label }).click();
  }

  async function go(page: Page, key: string): Promise<void> {
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press(key);
  }

  const cardOf = (page: Page) => page.locator('section[aria-label="Snapshots"]');
  const alicesOf = (page: Page) => page.locator('section[aria-label="Alice’s wallet"]');

  it('restore the ledgers after the name is typed, and every open page starts over with the same keys', async () => {
    const watched = await watchPage(browser, localnet.urls.service);
    onTestFinished(() => watched.close());
    const { page } = watched;
    await page.goto('/');
    await press(page, ...STORY.slice(0, DEPOSITED));
    await alicesOf(page).getByText('only Alice can read this').waitFor();
    const alice = await alicesOf(page).locator('[data-copy]').first().getAttribute('data-copy');
    await go(page, 'o');
    await cardOf(page).getByText('No snapshots yet.').waitFor();
    await cardOf(page).getByRole('button', { name: 'Take a snapshot' }).click();
    await cardOf(page).getByRole('button', { name: 'Return' }).waitFor();
    await go(page, 'p');
    await press(page, ...STORY.slice(DEPOSITED, PAID));
    await page.getByText('Who else knows?').waitFor();
    const other = await watchPage(browser, localnet.urls.service);
    onTestFinished(() => other.close());
    await other.page.goto('/');
    await press(other.page, ...STORY.slice(0, 1));
    await other.page.getByText('Deposit tokens.').waitFor();
    await go(page, 'o');
    expect(await axeFindings(page)).toEqual([]);
    await cardOf(page).getByRole('button', { name: 'Return' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('unless a later snapshot contains it').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sheet.getByRole('button', { name: 'Return to this snapshot' }).isDisabled()).toBe(true);
    await sheet.getByLabel('Name of the ledger').fill('localnet');
    await sheet.getByRole('button', { name: 'Return to this snapshot' }).click();
    await sheet.waitFor({ state: 'detached' });
    await go(page, 'p');
    for (const each of [page, other.page])
      await each.getByText('Make a private payment and see who can read it.').waitFor();
    await press(page, ...STORY.slice(0, 1));
    await alicesOf(page).getByText('only Alice can read this').waitFor();
    // What she had put in before the snapshot is there again, and what she has on base the faucet gave her twice.
    expect(await alicesOf(page).innerText()).toMatch(/16\.5\s*USDC[^]*3\.5\s*USDC/);
    expect(await alicesOf(page).locator('[data-copy]').first().getAttribute('data-copy')).toBe(alice);
    expect(watched.foreign).toEqual([]);
  });

  it('fit a width of 390 px', async () => {
    const { page, close } = await watchPage(browser, localnet.urls.service, { width: 390 });
    onTestFinished(close);
    await page.goto('/console/operations');
    await cardOf(page).getByRole('button', { name: 'Take a snapshot' }).click();
    await cardOf(page).getByRole('button', { name: 'Return' }).first().waitFor();
    expect(await sidewaysPx(page)).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('are not offered for a ledger in a folder, and the page says which ledgers have them', async () => {
    const app = await runApp();
    onTestFinished(() => app.close());
    const { page, close } = await watchPage(browser, app.serviceUrl);
    onTestFinished(close);
    await page.goto('/console/operations');
    await page.getByText('only for a localnet in memory').waitFor();
    expect(await cardOf(page).count()).toBe(0);
  });
});
