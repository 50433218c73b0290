import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

/** A message from the service to the page. */
export interface Received {
  readonly from: 'answer' | 'frame' | 'event';
  readonly url: string;
  /** Whether the request for it carried a token. */
  readonly hasToken: boolean;
  readonly text: string;
}

/** A page of the console with its recorded events. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and exceptions, in order. */
  readonly errors: string[];
  /** Requests to origins other than the service's. */
  readonly foreign: string[];
  /**
   * Responses and WebSocket messages, if `isOverheard` is set. Waits for responses that are still being read.
   */
  received(): Promise<readonly Received[]>;
  /** Waits until nothing is loading and no request is pending. */
  settled(): Promise<void>;
  /** Clears the received messages. */
  forgetReceived(): Promise<void>;
  close(): Promise<void>;
}

/** Options for opening a page. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  /** Whether to record received messages. The browser then transfers every response twice. */
  readonly isOverheard?: boolean;
}

/** Creates a page that is watched from its first request on. Does not navigate. */
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

/** Counts a pending request. Event streams do not count, because they never end. */
const counted = (request: Request): number => (request.resourceType() === 'eventsource' ? 0 : 1);

/** Timeout for loading, in ms. Long enough for slow machines. */
const SETTLED_MS_MAX = 60_000;

/** Waits until a condition holds twice, a few frames apart, because a response may cause another request. */
async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + SETTLED_MS_MAX;
  for (let times = 0; times < 2;) {
    times = (await holds()) ? times + 1 : 0;
    if (Date.now() > until) throw new Error('the page is still loading');
    await sleep(60);
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of WCAG 2.2 AA that axe finds, one line each with rule and place. */
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

/** Returns the horizontal overflow of the page, px. */
export const sidewaysPx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Returns texts that overflow their container. */
export const stickingOut = (page: Page, part: string): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('${part} *')].flatMap((one) => {
      const end = one.closest('${part}').getBoundingClientRect().right;
      const isCut = one.getBoundingClientRect().right > end || one.scrollWidth > one.clientWidth + 1;
      return one.clientWidth > 0 && isCut ? [one.innerText ?? one.tagName] : [];
    })`);

/** Returns texts that cover an amount next to them. */
export const amountsCovered = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('.eff')].flatMap((row) => {
      const amount = row.querySelector('.amt')?.getBoundingClientRect();
      const parts = [...row.querySelectorAll('.addr, .copy')].map((part) => part.getBoundingClientRect());
      const isOver = (part) =>
        part.right > amount.left && part.left < amount.right && part.bottom > amount.top && part.top < amount.bottom;
      return amount !== undefined && parts.some(isOver) ? [row.innerText] : [];
    })`);
