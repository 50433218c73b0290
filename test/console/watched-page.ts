import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

/** Something that came to the page from the service. */
export interface Received {
  readonly from: 'answer' | 'frame' | 'event';
  readonly url: string;
  /** Whether the request for it carried a token. */
  readonly hasToken: boolean;
  readonly text: string;
}

/** A page of the console, and all that happens to it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and exceptions, in order. */
  readonly errors: string[];
  /** Requests to other origins than the service's. */
  readonly foreign: string[];
  /**
   * Answers and WebSocket messages, of a page that is opened to be overheard. What has not been read when it is
   * asked for is waited for.
   */
  received(): Promise<readonly Received[]>;
  /** Waits until nothing on the page is loading and every question is answered. */
  settled(): Promise<void>;
  /** Forgets what was received until now. */
  forgetReceived(): Promise<void>;
  close(): Promise<void>;
}

/** How the page is opened. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  /** Whether it is asked what the page was told: the browser hands every answer over a second time then. */
  readonly isOverheard?: boolean;
}

/** Opens a page that is watched from its first request on. It goes nowhere yet. */
export async function watchPage(
  browser: Browser,
  serviceUrl: string,
  {
    width = 1280,
    height = 900,
    scheme = 'light',
    reducedMotion = true,
    isOverheard = false,
  }: PageOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: serviceUrl,
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  let received: Promise<Received | null>[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  let asking = 0;
  page.on('request', (request) => {
    asking += counted(request);
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== serviceUrl)
      foreign.push(url.href);
  });
  page.on('requestfinished', (request) => {
    asking -= counted(request);
  });
  page.on('requestfailed', (request) => {
    asking -= counted(request);
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(serviceUrl).host) foreign.push(socket.url());
  });
  if (isOverheard) await overhear();
  return {
    page,
    context,
    errors,
    foreign,
    received: async () => {
      if (!isOverheard) throw new Error('the page was not opened to be overheard');
      return (await Promise.all(received)).filter((one) => one !== null);
    },
    forgetReceived: async () => {
      await Promise.all(received);
      received = [];
    },
    settled: () =>
      waitFor(async () => asking === 0 && (await page.locator('[aria-busy=true], .sk').count()) === 0),
    close: () => context.close(),
  };

  async function overhear(): Promise<void> {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    devtools.on('Network.eventSourceMessageReceived', ({ data }) => {
      received.push(
        Promise.resolve({ from: 'event', url: '/console/api/events', hasToken: false, text: data }),
      );
    });
    page.on('response', (response) => {
      const hasToken = response.request().headers()['authorization'] !== undefined;
      const isStream = (response.headers()['content-type'] ?? '').startsWith('text/event-stream');
      if (isStream) return;
      const told = (text: string): Received => ({ from: 'answer', url: response.url(), hasToken, text });
      received.push(response.text().then(told, () => null));
    });
    page.on('websocket', (socket) => {
      const hasToken = new URL(socket.url()).searchParams.has('token');
      socket.on('framereceived', ({ payload }) => {
        const text = payload.toString();
        received.push(Promise.resolve({ from: 'frame', url: socket.url(), hasToken, text }));
      });
    });
  }
}

/** An event stream is a request that never ends. */
const counted = (request: Request): number => (request.resourceType() === 'eventsource' ? 0 : 1);

/** How long a page may take to have what it asks for, on a slow machine, ms. */
const SETTLED_MS_MAX = 60_000;

/** Waits until something holds twice in a row, a few frames apart: an answer may lead to the next question. */
async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + SETTLED_MS_MAX;
  for (let times = 0; times < 2;) {
    times = (await holds()) ? times + 1 : 0;
    if (Date.now() > until) throw new Error('the page is still loading');
    await sleep(60);
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA: the rule and where, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  }>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })
      .then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
    ),
  );
}

/** How far the page can be scrolled sideways, px: 0 where nothing sticks out. */
export const sidewaysPx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** What is wider than the part of the page that holds it, as texts: none where all of it is seen. */
export const stickingOut = (page: Page, part: string): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('${part} *')].flatMap((one) => {
      const end = one.closest('${part}').getBoundingClientRect().right;
      const isCut = one.getBoundingClientRect().right > end || one.scrollWidth > one.clientWidth + 1;
      return one.clientWidth > 0 && isCut ? [one.innerText ?? one.tagName] : [];
    })`);

/** What stands beside an amount and is painted over it, as texts: none where every row is legible. */
export const amountsCovered = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('.eff')].flatMap((row) => {
      const amount = row.querySelector('.amt')?.getBoundingClientRect();
      const parts = [...row.querySelectorAll('.addr, .copy')].map((part) => part.getBoundingClientRect());
      const isOver = (part) =>
        part.right > amount.left && part.left < amount.right && part.bottom > amount.top && part.top < amount.bottom;
      return amount !== undefined && parts.some(isOver) ? [row.innerText] : [];
    })`);
