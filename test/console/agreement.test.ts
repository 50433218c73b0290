import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { mainButton, STORY } from './story.ts';
import { watchPage, type WatchedPage } from './watched-page.ts';

/** How long a step may take on a slow machine, ms. */
const STEP_MS = 60_000;

describe.skipIf(WITHOUT_BROWSER)('a transaction about to be signed', () => {
  let browser: Browser;
  let app: RunningApp;
  beforeAll(async () => {
    browser = await sharedChromium();
    app = await runApp();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  /** Presses what the story begins with, until `count` buttons are pressed. */
  async function open(count: number): Promise<WatchedPage> {
    const watched = await watchPage(browser, app.serviceUrl);
    await watched.page.goto('/');
    for (const [, label] of STORY.slice(0, count)) await next(watched, label).click();
    return watched;
  }

  const next = ({ page }: WatchedPage, label: RegExp) => mainButton(page).filter({ hasText: label });

  it('is not signed by a key that is held down, and has the focus so that it is read', async () => {
    const watched = await open(1);
    const { page } = watched;
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/transaction/send')) sent += 1;
    });
    const deposit = next(watched, /^Deposit for both$/);
    await deposit.waitFor({ timeout: STEP_MS });
    await deposit.focus();
    await page.keyboard.down('Enter');
    const sign = next(watched, /^Sign as Alice and send$/);
    await sign.waitFor({ timeout: STEP_MS });
    await page.locator('main .sign h1:focus').waitFor({ timeout: STEP_MS });
    // Keys that are down repeat: on the heading that has the focus, and on the button itself.
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
    await sign.focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
    expect(await sign.isVisible()).toBe(true);
    expect(sent).toBe(0);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await next(watched, /^Sign as Bob and send$/).waitFor({ timeout: STEP_MS });
    expect(sent).toBe(1);
    await watched.close();
  });

  it('is hidden while someone other than the owner looks, and shown again to the owner', async () => {
    const watched = await open(5);
    const { page } = watched;
    await next(watched, /^Sign as Alice and send$/).waitFor({ timeout: STEP_MS });
    for (const key of ['2', '1']) {
      await page.keyboard.press(key);
      await next(watched, /^Look as the owner$/).waitFor({ timeout: STEP_MS });
      const stage = (await page.locator('main .stagecard').innerHTML()).toLowerCase();
      expect(stage).not.toContain('1.25');
      expect(stage).not.toContain('for lunch');
      expect(await page.locator('#sign').count()).toBe(0);
    }
    await next(watched, /^Look as the owner$/).click();
    await next(watched, /^Sign as Alice and send$/).waitFor({ timeout: STEP_MS });
    await page.locator('main .stagecard').getByText('for lunch').waitFor({ timeout: STEP_MS });
    await watched.close();
  });
});
