import { accessSync, constants } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian, Ubuntu and others put the browser; `CHROMIUM` names another. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Nothing of its own goes out to the network, and no sandbox, which root does not have. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser of this machine; null where there is none. */
export const CHROMIUM: string | null =
  process.env['CHROMIUM'] ?? PLACES.find((path) => isExecutable(path)) ?? null;

/**
 * Whether tests of the page are left out: where there is no browser, and never where one is required, as in
 * `.ci/run`, which installs it.
 */
export const WITHOUT_BROWSER = CHROMIUM === null && process.env['BROWSER_TESTS'] !== 'required';

let launched: Promise<Browser> | undefined;

/**
 * The browser of this process, which all test files that run in it share, one after another. It ends with the
 * process.
 */
export function sharedChromium(): Promise<Browser> {
  if (CHROMIUM === null)
    throw new Error('no Chromium here: apt-get install chromium, or name one with CHROMIUM');
  return (launched ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS }));
}

/** Closes what the tests of a file have opened in the browser. */
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
