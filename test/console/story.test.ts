import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { IS_LONG } from '../length.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { ARE_STEPS_PAINTED, picture } from './pictures.ts';
import { DONE, mainButton, STORY, tabToMainButton } from './story.ts';
import { amountsCovered, axeFindings, sidewaysPx, watchPage, type WatchedPage } from './watched-page.ts';

const LAYOUTS = [
  { name: 'A', programs: undefined, isMissing: false, byClicks: 1280 },
  { name: 'B', programs: LAYOUT_B_FOLDER ?? undefined, isMissing: LAYOUT_B_FOLDER === null, byClicks: 390 },
];

const WIDTHS = [1280, 390];

/** How long a step may take on a slow machine, ms. */
const STEP_MS = 60_000;

describe.skipIf(WITHOUT_BROWSER)('the two minutes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterAll(closePages);

  describe.each(LAYOUTS)('on the programs of layout $name', ({ name: layout, programs, ...rest }) => {
    const { isMissing, byClicks } = rest;
    // In the short form each way and each width once on a layout.
    const ways = WIDTHS.flatMap((width) =>
      ['clicks', 'keys']
        .filter((how) => IS_LONG || (how === 'clicks') === (width === byClicks))
        .map((how) => ({ how, width })),
    );

    describe.skipIf(isMissing)('with its own ledger', () => {
      let app: RunningApp;
      beforeAll(async () => {
        app = await runApp(programs);
      });
      afterAll(() => app?.close());

      it.each(ways)(
        'leads from two wallets to money on base by $how, $width px wide',
        async ({ how, width }) => {
          const watched = await watchPage(browser, app.serviceUrl, {
            width,
            height: width === 390 ? 844 : 900,
          });
          await watched.page.goto('/');
          await play(watched, how, `${layout}-${how}-${width}`);
          await watched.page
            .getByText(
              'The base ledger shows that Alice withdrew 1.25 USDC less than the deposit. It does not show who received the difference.',
            )
            .waitFor();
          expect({ errors: watched.errors, foreign: watched.foreign }).toEqual({ errors: [], foreign: [] });
          await watched.close();
        },
      );
    });
  });
});

/** Plays the story, and checks the invariants after each step. */
async function play({ page }: WatchedPage, how: string, name: string): Promise<void> {
  for (const [at, [heading, label]] of STORY.entries()) {
    const button = mainButton(page).filter({ hasText: label });
    await button.waitFor({ timeout: STEP_MS });
    await page.locator('main h1, main h2').filter({ hasText: heading }).first().waitFor({ timeout: STEP_MS });
    expect(await mainButton(page).count(), `main buttons at ${label}`).toBe(1);
    expect(await sidewaysPx(page), `scrolls sideways at ${label}`).toBe(0);
    expect(await amountsCovered(page), `amounts under something at ${label}`).toEqual([]);
    if (ARE_STEPS_PAINTED) await picture(page, `story-${name}-${String(at + 1).padStart(2, '0')}`);
    if (how === 'clicks') {
      expect(await axeFindings(page), `accessibility at ${label}`).toEqual([]);
      await button.click();
      continue;
    }
    await tabToMainButton(page);
    await page.keyboard.press('Enter');
  }
  await page.getByText(DONE).waitFor({ timeout: STEP_MS });
  await picture(page, `story-${name}-done`);
}
