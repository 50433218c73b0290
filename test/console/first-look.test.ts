import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { mainButton } from './story.ts';
import { axeFindings, sidewaysPx, watchPage } from './watched-page.ts';

describe.skipIf(WITHOUT_BROWSER)('the first look at a new localnet', () => {
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
    app = await runApp();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  async function open(path: string, width = 1280): Promise<Page> {
    const { page, errors, settled, close } = await watchPage(browser, app.serviceUrl, { width, height: 760 });
    onTestFinished(async () => {
      expect(errors).toEqual([]);
      await close();
    });
    await page.goto(path);
    await settled();
    return page;
  }

  it.each([390, 1280])('shows how to start without scrolling, %i px wide', async (width) => {
    const page = await open('/', width);
    const box = await mainButton(page).boundingBox();
    expect((box?.y ?? 760) + (box?.height ?? 0)).toBeLessThan(700);
    await page.getByText('sees everything').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysPx(page)).toBe(0);
  });

  it('explains a genuine deposit and a drainer with one click each', async () => {
    const page = await open('/');
    await page.getByText('Catch a drainer').click();
    await page.getByRole('button', { name: 'Explain a deposit' }).click();
    await page.locator('.verdict.ok').waitFor();
    await page.getByText('11 of 11 points match').waitFor();
    await page.getByRole('button', { name: 'Explain a drainer' }).click();
    await page.locator('.verdict.bad').waitFor();
    await page.getByText('DANGEROUS_INSTRUCTION').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('lists transactions with time, parties and amounts', async () => {
    const page = await open('/console/explorer');
    const row = page.locator('tr[data-row]').filter({ hasText: 'USDC' }).first();
    await row.getByText('Faucet funded').waitFor();
    expect(await row.innerText()).toMatch(/\d\d:\d\d:\d\d[^]*Faucet funded \w{4}…\w{4}[^]*10\s*USDC/);
  });

  it.each(['life', 'explorer', 'books', 'requests'])(
    'suggests a next step in an empty view: %s',
    async (view) => {
      const page = await open(`/console/${view}?failed=1&door=mcp`);
      await page
        .locator('main .empty')
        .getByRole(view === 'explorer' ? 'button' : 'link')
        .first()
        .waitFor();
      expect(await page.locator('h1').count()).toBe(1);
    },
  );
});
