import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Pictures for people to look at; they are not kept in the repository. */
const FOLDER = fileURLToPath(new URL('../../results/console', import.meta.url));

/** Whether each step of the story is to be painted as well: `CONSOLE_PICTURES=all`. */
export const ARE_STEPS_PAINTED = process.env['CONSOLE_PICTURES'] === 'all';

/** Writes what the page shows, all of it, as `results/console/NAME.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, animations: 'disabled' });
}
