import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordsOf } from '../parts/loaded.tsx';
import type { Feed, Ledger, Reader } from '../parts/reader.ts';
import { RowList } from './row-list.ts';
import type { Listed, Row } from './transactions.ts';

/** The live transactions of one reader. */
export interface Live {
  readonly list: RowList;
  /** The last listing without its rows; null before the first. */
  readonly listed: Omit<Listed, 'rows'> | null;
  /** Why the last listing failed; null if it succeeded. */
  readonly fault: string | null;
  readonly feed: Feed;
}

const FOLLOWING: Feed = { following: true, behindSeconds: 0 };

/** An empty list. */
export const nothingYet = (): Live => ({ list: new RowList(), listed: null, fault: null, feed: FOLLOWING });

/**
 * Lists transactions and follows the ledgers of a reader. Lists again after a gap in a feed, and renders at
 * most once per frame. A new reader or `what` starts an empty list.
 *
 * @param what identifies the list; null lists nothing yet.
 * @param isTop whether new rows are shown at once.
 */
export function useLive(
  reader: Reader,
  what: string | null,
  list: () => Promise<Listed>,
  isTop: boolean,
): Live {
  const begun = useMemo(nothingYet, [reader, what]);
  const [held, hold] = useState(begun);
  const live = held.list === begun.list ? held : begun;
  useEffect(
    () => (what === null ? undefined : follow({ reader, list, begun, draw: hold, atFrame: nextFrame })),
    [begun],
  );
  if (isTop) live.list.admit();
  return live;
}

/** Options for `follow`. */
interface Following {
  readonly reader: Reader;
  list(): Promise<Listed>;
  readonly begun: Live;
  /** Renders the list. Called at most once per frame. */
  draw(live: Live): void;
  /** Runs a function in the next frame. Returns a function that cancels it. */
  atFrame(run: () => void): () => void;
}

/** Lists transactions and follows the feeds. @returns a function that ends the subscriptions. */
export function follow({ reader, list, begun, draw, atFrame }: Following): () => void {
  const feeds = new Map<Ledger, Feed>();
  let live = begun;
  let stopFrame: (() => void) | null = null;
  let isOver = false;
  const change = (part: Partial<Live>): void => {
    live = { ...live, ...part };
    stopFrame ??= atFrame(() => {
      stopFrame = null;
      draw(live);
    });
  };
  const ask = oneAtATime(async () => {
    try {
      const { rows, ...listed } = await list();
      if (isOver) return;
      live.list.list(rows);
      change({ listed, fault: null });
    } catch (error) {
      if (!isOver) change({ fault: wordsOf(error) });
    }
  });
  const hear = (ledger: Ledger) => (event: unknown) => {
    if (event === undefined) return ask();
    const row = rowIn(ledger, event);
    if (row === null) return;
    live.list.come(row);
    change({});
  };
  const ends = reader.ledgers.map((ledger) =>
    reader.subscribe(ledger, 'logsSubscribe', ['all', { commitment: 'confirmed' }], hear(ledger), (feed) => {
      feeds.set(ledger, feed);
      change({ feed: [...feeds.values()].find(({ following }) => !following) ?? FOLLOWING });
    }),
  );
  ask();
  return () => {
    isOver = true;
    stopFrame?.();
    for (const end of ends) end();
  };
}

function nextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

/** Runs one call at a time. All calls during a run cause one more run after it. */
function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isAsked = false;
  const ask = async (): Promise<void> => {
    isAsked = isRunning;
    if (isRunning) return;
    isRunning = true;
    await run();
    isRunning = false;
    if (isAsked) void ask();
  };
  return () => void ask();
}

/** @returns the row of a `logsSubscribe` notification, null for anything else. */
function rowIn(ledger: Ledger, notification: unknown): Row | null {
  const { context, value } = (notification ?? {}) as {
    readonly context?: { readonly slot?: unknown };
    readonly value?: { readonly signature?: unknown; readonly err?: unknown };
  };
  if (typeof context?.slot !== 'number' || typeof value?.signature !== 'string') return null;
  return { ledger, signature: value.signature, slot: context.slot, time: null, failed: value.err !== null };
}
