import { describe, expect, it } from 'vitest';
import type { Feed, Ledger, Reader } from '../parts/reader.ts';
import { follow, nothingYet, type Live } from './live.ts';
import type { Listed, Row } from './transactions.ts';

const row = (slot: number): Row => ({
  ledger: 'base',
  signature: `signature${slot}`,
  slot,
  time: slot,
  failed: false,
});

const event = (slot: number) => ({
  context: { slot },
  value: { signature: `signature${slot}`, err: null, logs: [] },
});

/** A reader whose feeds speak by hand, what it lists, and frames that pass by hand. */
function begin() {
  const feeds = new Map<Ledger, { hear(event: unknown): void; state(feed: Feed): void }>();
  const answers: ((listed: Listed) => void)[] = [];
  const drawn: Live[] = [];
  let frames: (() => void)[] = [];
  const reader = {
    as: 'owner',
    ledgers: ['base', 'rollup'],
    subscribe: (ledger: Ledger, _method: string, _params: unknown, hear: (event: unknown) => void, state) => {
      feeds.set(ledger, { hear, state: (feed) => state?.(feed) });
      return () => feeds.delete(ledger);
    },
  } as Partial<Reader> as Reader;
  const end = follow({
    reader,
    list: () => new Promise((resolve) => answers.push(resolve)),
    begun: nothingYet(),
    draw: (live) => {
      live.list.admit();
      drawn.push(live);
    },
    atFrame: (run) => {
      frames.push(run);
      return () => (frames = frames.filter((each) => each !== run));
    },
  });
  return {
    feeds,
    drawn,
    end,
    asked: () => answers.length,
    /** The oldest question is answered. */
    answer: async (...slots: number[]) => {
      answers.shift()?.({ rows: slots.map(row), hidden: 0, failed: [] });
      await new Promise(setImmediate);
    },
    frame: () => {
      const due = frames;
      frames = [];
      for (const run of due) run();
    },
    slots: () => drawn.at(-1)?.list.rows.map(({ slot }) => slot),
  };
}

describe('a live view of the ledgers', () => {
  it('draws a burst of events once, in one frame', async () => {
    const { feeds, answer, frame, drawn, slots } = begin();
    await answer(1);
    frame();
    for (let slot = 2; slot <= 2_000; slot += 1) feeds.get('base')?.hear(event(slot));
    expect(drawn).toHaveLength(1);
    frame();
    frame();
    expect([drawn.length, slots()?.length, slots()?.[0]]).toEqual([2, 2_000, 2_000]);
  });

  it('reloads the list after a gap in a feed, so that nothing is missing', async () => {
    const { feeds, asked, answer, frame, slots } = begin();
    await answer(1);
    feeds.get('base')?.hear(event(2));
    feeds.get('base')?.hear(undefined);
    expect(asked()).toBe(1);
    feeds.get('base')?.hear(event(5));
    await answer(4, 3, 2, 1);
    frame();
    expect(slots()).toEqual([5, 4, 3, 2, 1]);
  });

  it('has one request in flight, and sends one more after it for any gaps in the meantime', async () => {
    const { feeds, asked, answer } = begin();
    for (const ledger of ['base', 'rollup', 'base'] as const) feeds.get(ledger)?.hear(undefined);
    expect(asked()).toBe(1);
    await answer();
    expect(asked()).toBe(1);
    await answer();
    expect(asked()).toBe(0);
  });

  it('is paused as long as one of the feeds is', () => {
    const { feeds, frame, drawn } = begin();
    feeds.get('base')?.state({ following: false, behindSeconds: 3 });
    feeds.get('rollup')?.state({ following: true, behindSeconds: 0 });
    frame();
    expect(drawn.at(-1)?.feed).toEqual({ following: false, behindSeconds: 3 });
    feeds.get('base')?.state({ following: true, behindSeconds: 0 });
    frame();
    expect(drawn.at(-1)?.feed.following).toBe(true);
  });

  it('draws nothing after it ends', async () => {
    const { answer, frame, drawn, end, feeds } = begin();
    end();
    await answer(1);
    frame();
    expect([drawn.length, feeds.size]).toEqual([0, 0]);
  });
});
