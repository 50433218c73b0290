import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, launchChromium } from '../test/console/chromium.ts';
import { inScope } from './scope.ts';
import type { Section } from './section.ts';
import { startStack } from './stack.ts';
import { median } from './statistics.ts';
import { markdown } from './table.ts';

/** Rows of each history that the explorer asks for, four at least: it keeps 10,000 of them. */
const LISTED = 2_500;
const ROWS = '10,000 transactions.';

/** Events that come at once; and then how many a second, for how many seconds. */
const BURST = 2_000;
const STREAM_PER_SECOND = 100;
const STREAM_SECONDS = 5;
const LAST = BURST + STREAM_PER_SECOND * STREAM_SECONDS;

/**
 * A base ledger in the page itself, as the driver of the browser would take longer than the page: every history is
 * full of signatures that no other has, and events come when they are told to.
 */
const LEDGER = `(() => {
  const say = (id, result) => JSON.stringify({ jsonrpc: '2.0', id, result });
  let histories = 0;
  const history = (of) => Array.from({ length: ${LISTED} }, (_, at) => ({
    signature: 'listed' + of + '-' + at, slot: ${LISTED} - at, err: null, blockTime: ${LISTED} - at,
  }));
  const { fetch } = window;
  window.fetch = async (url, init) => {
    if (url !== '/console/rpc/base') return fetch(url, init);
    const answers = JSON.parse(init.body).map(({ id, method }) =>
      say(id, method === 'getSignaturesForAddress' ? history(histories++) : null));
    window.answeredMs ??= performance.now();
    return new Response('[' + answers.join() + ']');
  };
  const sockets = [];
  window.WebSocket = class extends EventTarget {
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(new Event('open')));
    }
    send(text) {
      const { id, method } = JSON.parse(text);
      this.say(say(id, id));
      if (method === 'logsSubscribe') sockets.push([this, id]);
    }
    say(data) {
      this.dispatchEvent(new MessageEvent('message', { data }));
    }
    close() {}
  };
  window.sendEvent = (at) => {
    const value = { signature: 'event' + at, err: null, logs: [] };
    for (const [socket, subscription] of sockets) socket.say(JSON.stringify({
      jsonrpc: '2.0', method: 'logsNotification',
      params: { subscription, result: { context: { slot: 10000 + at }, value } },
    }));
  };
  window.drawn = (what) => new Promise((resolve) => {
    const look = () => what() ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  });
  window.newest = (at) => window.drawn(() => document.querySelector('a[title=event' + at + ']'));
})()`;

/** Until 10,000 rows are listed, from when the histories were answered, ms. */
const LIST = `drawn(() => document.body.innerText.includes('${ROWS}')).then((now) => now - answeredMs)`;

/** Sends many events at once, and waits until the newest is drawn, ms. */
const AT_ONCE = `(async () => {
  const began = performance.now();
  for (let at = 1; at <= ${BURST}; at++) sendEvent(at);
  return (await newest(${BURST})) - began;
})()`;

/** Sends events evenly. Gives the longest time between two frames, ms. */
const STREAM = `(async () => {
  let longest = 0, before = performance.now(), isOver = false;
  const watch = (now) => {
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
  const began = performance.now();
  let at = ${BURST};
  const timer = setInterval(() => {
    const due = Math.min(${BURST} + (performance.now() - began) * ${STREAM_PER_SECOND} / 1000, ${LAST});
    while (at < due - 1) sendEvent(++at);
    if (performance.now() - began > ${STREAM_SECONDS} * 1000) {
      while (at < ${LAST}) sendEvent(++at);
      clearInterval(timer);
    }
  }, 5);
  await newest(${LAST});
  isOver = true;
  return longest;
})()`;

/** What a page is measured by, in the page itself; a string, as this project's scripts know no DOM. */
const PAINTS = `(() => {
  const of = (type) => performance.getEntriesByType(type);
  const [navigation] = of('navigation');
  const paint = of('paint').find(({ name }) => name === 'first-contentful-paint');
  const bytes = of('resource').reduce((sum, { encodedBodySize }) => sum + encodedBodySize, navigation.encodedBodySize);
  return { paintMs: paint?.startTime ?? NaN, loadMs: navigation.loadEventEnd, bytes };
})()`;

interface Paints {
  readonly paintMs: number;
  readonly loadMs: number;
  readonly bytes: number;
}

/** The page in a browser: its first paint, a long list, a burst of events, and a stream of them. */
export const consolePage: Section = {
  name: 'console',
  title: 'The page in Chromium, from a stack of its own, with an empty cache',
  run: ({ rounds }) =>
    inScope(async ({ folder, keep }) => {
      if (CHROMIUM === null) return { text: 'Not measured: no Chromium here (apt-get install chromium).' };
      const stack = keep(await startStack(await folder()));
      const browser = await launchChromium();
      keep({ stop: () => browser.close() });
      const first: Paints[] = [];
      const lists: ListFigures[] = [];
      for (let turn = 0; turn < rounds; turn++) {
        first.push(await onPage(browser, (page) => firstPaint(page, stack.serviceUrl)));
        lists.push(await onPage(browser, (page) => longList(page, stack.serviceUrl)));
      }
      const ofList = (what: string, unit: string, of: (figures: ListFigures) => number) => ({
        what,
        unit,
        values: lists.map(of),
      });
      const stream = `${STREAM_PER_SECOND} events a second`;
      const rows = [
        { what: 'first contentful paint', values: first.map(({ paintMs }) => paintMs), unit: 'ms' },
        { what: 'all of the first view loaded', values: first.map(({ loadMs }) => loadMs), unit: 'ms' },
        { what: 'bytes of the first view', values: first.map(({ bytes }) => bytes), unit: 'bytes' },
        ofList('explorer, from the answer until 10,000 rows are listed', 'ms', ({ listMs }) => listMs),
        ofList(`${BURST} events at once, until the newest is drawn`, 'ms', ({ burstMs }) => burstMs),
        ofList(`${stream}, longest time between two frames`, 'ms', ({ frameMs }) => frameMs),
        ofList(`${stream}, work of the page for each`, 'ms', ({ eventMs }) => eventMs),
        ofList(`${stream}, heap after more than before`, 'KB', ({ heapKb }) => heapKb),
      ];
      return {
        text: markdown(
          rows.map(({ what, values, unit }) => ({
            what,
            median: `${median(values).toFixed(unit === 'ms' && median(values) < 10 ? 1 : 0)} ${unit}`,
            most: `${Math.max(...values).toFixed(0)} ${unit}`,
          })),
        ),
      };
    }),
};

async function onPage<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}

async function firstPaint(page: Page, url: string): Promise<Paints> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Make two wallets' }).waitFor();
  return page.evaluate<Paints>(PAINTS);
}

/** What a long list comes to. */
interface ListFigures {
  readonly listMs: number;
  readonly burstMs: number;
  readonly frameMs: number;
  /** For each event of the stream: scripts, styles and layout. */
  readonly eventMs: number;
  readonly heapKb: number;
}

async function longList(page: Page, url: string): Promise<ListFigures> {
  await page.addInitScript(LEDGER);
  await page.goto(`${url}/console/explorer?as=base`);
  const listMs = await page.evaluate<number>(LIST);
  const burstMs = await page.evaluate<number>(AT_ONCE);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.enable');
  const measure = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
    const workMs = 1_000 * (of('ScriptDuration') + of('RecalcStyleDuration') + of('LayoutDuration'));
    return { workMs, heapKb: of('JSHeapUsedSize') / 1024 };
  };
  const before = await measure();
  const frameMs = await page.evaluate<number>(STREAM);
  const after = await measure();
  return {
    listMs,
    burstMs,
    frameMs,
    eventMs: (after.workMs - before.workMs) / (LAST - BURST),
    heapKb: after.heapKb - before.heapKb,
  };
}
