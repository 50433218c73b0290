import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { closePages, sharedChromium, WITHOUT_BROWSER } from './chromium.ts';
import { watchPage } from './watched-page.ts';
import { IS_LONG } from '../length.ts';

/** A tenth of what slots last elsewhere. */
const SLOT_MS = 40;

describe.skipIf(WITHOUT_BROWSER || !IS_LONG)('the time of the ledger in the page', () => {
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await runApp(undefined, { LEDGER_SLOT_MS: String(SLOT_MS) });
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closePages();
    await app?.close();
  });

  it('explains its clock, and advances by an hour whatever the length of a slot (bug: by 9,000 slots)', async () => {
    const { page, close } = await watchPage(browser, app.serviceUrl);
    await page.goto('/console/operations');
    const card = page.locator('section[aria-label="Time of the base ledger"]');
    await card.getByText(`slots of ${SLOT_MS} ms`).waitFor();
    const saidSlot = async (words: string): Promise<number> => {
      const said = await card.getByText(words).innerText();
      return Number(/slot ([\d,]+)\./.exec(said)?.[1]?.replaceAll(',', ''));
    };
    const opened = await saidSlot('Current');
    expect(opened).toBeGreaterThanOrEqual(0);
    await card.getByRole('button', { name: 'Stop the clock' }).click();
    const stopped = await saidSlot('The clock stopped at');
    await card.getByRole('button', { name: 'Advance one hour' }).click();
    expect(await saidSlot('One hour later:')).toBe(stopped + 3_600_000 / SLOT_MS);
    await card.getByRole('button', { name: 'Start the clock' }).click();
    expect(await saidSlot('The clock runs from')).toBeGreaterThanOrEqual(stopped + 3_600_000 / SLOT_MS);
    await close();
  });
});
