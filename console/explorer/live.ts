import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordsOf } from '../parts/loaded.tsx';
import type { Feed, Ledger, Reader } from '../parts/reader.ts';
import { RowList } from './row-list.ts';
import type { Listed, Row } from './transactions.ts';

/** The live transactions of one reader. */
export interface Live {
  readonly list: RowList;
  /** Besides the rows; null until the ledgers have answered for the first time. */
  readonly listed: Omit<Listed, 'rows'> | null;
  /** Why nothing could be listed; null if it could. */
  readonly fault: string | null;
  readonly feed: Feed;
}

const FOLLOWING: Feed = { following: true, behindSeconds: 0 };

/** A list as it begins. */
export const nothingYet = (): Live => ({ list: new RowList(), listed: null, fault: null, feed: FOLLOWING });

/**
 * Lists transactions and follows the ledgers that a reader sees; lists them again after a gap of a feed. What is
 * told within a frame is drawn once. All of it goes when the reader changes, or what it is asked for.
 *
 * @param what names what is listed; null lists nothing yet.
 * @param isTop whether rows that come are shown at once.
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

/** What is followed, and where it goes. */
interface Following {
  readonly reader: Reader;
  list(): Promise<Listed>;
  readonly begun: Live;
  /** Gets what there is to draw, at most once a frame. */
  draw(live: Live): void;
  /** Runs something with the next frame; what it returns stops that. */
  atFrame(run: () => void): () => void;
}

/** @returns a function that ends it. */
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

/** Runs something now; what is asked for meanwhile is one further run after it. */
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
