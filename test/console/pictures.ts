import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Pictures for people to look at; they are not kept in the repository. */
const FOLDER = fileURLToPath(new URL('../../results/console', import.meta.url));

/** Writes what the page shows, all of it, as `results/console/NAME.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, animations: 'disabled' });
}
