import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Pictures for people to look at; they are not kept in the repository. */
const FOLDER = fileURLToPath(new URL('../../results/console', import.meta.url));

/** Every view, and the story's end, with `CONSOLE_PICTURES=views`; each step of the story as well with `all`. */
const WANTED = process.env['CONSOLE_PICTURES'] ?? '';

/** Whether each step of the story is to be painted as well. */
export const ARE_STEPS_PAINTED = WANTED === 'all';

/**
 * Writes what the page shows, all of it, as `results/console/NAME.png`, where pictures are wanted: no test looks at
 * them, and to paint them all takes longer than what tests do look at.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (WANTED === '') return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, animations: 'disabled' });
}
