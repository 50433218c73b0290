import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Usual paths of the browser. `CHROMIUM` overrides them. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Flags that disable background network requests, and the sandbox, which root cannot use. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Path of the browser; null if there is none. */
export const CHROMIUM: string | null =
  process.env['CHROMIUM'] ?? PLACES.find((path) => isExecutable(path)) ?? null;

/** Whether to skip page tests because there is no browser. Never if one is required, as in `.ci/run`. */
export const WITHOUT_BROWSER = CHROMIUM === null && process.env['BROWSER_TESTS'] !== 'required';

let launched: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. It ends with the process. */
export function sharedChromium(): Promise<Browser> {
  if (CHROMIUM === null)
    throw new Error('no Chromium here: apt-get install chromium, or name one with CHROMIUM');
  return (launched ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));
}

/** Closes the pages that a test file has opened. */
export async function closePages(): Promise<void> {
  for (const context of (await launched)?.contexts() ?? []) await context.close();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
