import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { watchPage, type WatchedPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('a page as wide as a phone', () => {
  let app: RunningApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    app = await runApp();
    browser = await sharedChromium();
    watched = await watchPage(browser, app.serviceUrl, { width: 390, height: 844 });
    page = watched.page;
    await app.wallet();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  it.each(['explorer', 'requests'])(
    'shows every filter of %s whole (bug: the last ones were cut)',
    async (view) => {
      await page.goto(`/console/${view}`);
      await watched.settled();
      const ends = await page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('.chips .chip')].map((chip) => chip.getBoundingClientRect().right)",
      );
      expect(ends.length).toBeGreaterThanOrEqual(4);
      expect(ends.filter((end) => end > 390)).toEqual([]);
    },
  );

  it('shows at which edge a list continues (bug: nothing indicated sideways scrolling)', async () => {
    await page.goto('/console/explorer');
    await watched.settled();
    const rows = page.locator('.rows');
    // The list without its words, narrower than its columns.
    await page.evaluate(
      "document.querySelector('.rows').style.width = '200px'; document.querySelector('.rows table').style.visibility = 'hidden'",
    );
    const box = await rows.boundingBox();
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
    const edges = async (scrollPx: number): Promise<readonly string[]> => {
      await page.evaluate(`document.querySelector('.rows').scrollLeft = ${scrollPx}`);
      const clip = { y: y + height / 2, width: 1, height: 4 };
      const shots = [x + 1, x + width - 2].map((left) =>
        page.screenshot({ clip: { ...clip, x: left }, animations: 'disabled' }),
      );
      return (await Promise.all(shots)).map((shot) => shot.toString('base64'));
    };
    const [leftAtStart, rightAtStart] = await edges(0);
    const [leftAtEnd, rightAtEnd] = await edges(10_000);
    expect(leftAtStart).toBe(rightAtEnd);
    expect(rightAtStart).not.toBe(rightAtEnd);
    expect(leftAtEnd).not.toBe(leftAtStart);
  });
});
