import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Folder for screenshots, which are not in the repository. */
const FOLDER = fileURLToPath(new URL('../../results/console', import.meta.url));

/** Requested screenshots: `views` for every view and the end of the story, `all` also for every step. */
const WANTED = process.env['CONSOLE_PICTURES'] ?? '';

/** Whether to take a screenshot of each step of the story. */
export const ARE_STEPS_PAINTED = WANTED === 'all';

/** Writes a screenshot to `results/console/NAME.png` if requested. Tests do not use it, and it is slow. */
export async function picture(page: Page, name: string): Promise<void> {
  if (WANTED === '') return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, animations: 'disabled' });
}
