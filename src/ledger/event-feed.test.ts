import { describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { type AccountsSet, EventFeed, type LedgerListener } from './ledger-events.ts';

const event = (slot: number): AccountsSet => ({ kind: 'accounts', slot, changes: [] });

function listen(feed: EventFeed): { told: number[]; stop: () => void } {
  const told: number[] = [];
  return { told, stop: feed.subscribe(({ slot }) => told.push(slot)) };
}

describe('EventFeed', () => {
  it('publishes events in their order, regardless of which is durable first', () => {
    const feed = new EventFeed(silentLogger);
    const { told } = listen(feed);
    const [first, second, third] = [1, 2, 3].map((slot) => feed.announce(event(slot)));
    second?.();
    expect(told).toEqual([]);
    first?.();
    expect(told).toEqual([1, 2]);
    third?.();
    expect(told).toEqual([1, 2, 3]);
  });

  it('publishes nothing that happened before the subscription', () => {
    const feed = new EventFeed(silentLogger);
    const early = listen(feed);
    const settle = feed.announce(event(1));
    const late = listen(feed);
    settle();
    feed.announce(event(2))();
    expect([early.told, late.told]).toEqual([[1, 2], [2]]);
  });

  it('publishes nothing to listeners that unsubscribed, and continues for the others', () => {
    const feed = new EventFeed(silentLogger);
    const a = listen(feed);
    const b = listen(feed);
    const settle = feed.announce(event(1));
    a.stop();
    a.stop();
    settle();
    expect([a.told, b.told]).toEqual([[], [1]]);
  });

  it('accepts one listener twice', () => {
    const feed = new EventFeed(silentLogger);
    const told: number[] = [];
    const listener: LedgerListener = ({ slot }) => told.push(slot);
    const stop = feed.subscribe(listener);
    feed.subscribe(listener);
    feed.announce(event(1))();
    stop();
    feed.announce(event(2))();
    expect(told).toEqual([1, 1, 2]);
  });

  it('publishes to the other listeners when one fails, and logs the error', () => {
    const lines: string[] = [];
    const feed = new EventFeed({ ...silentLogger, error: (_, message) => lines.push(message) });
    feed.subscribe(() => {
      throw new Error('a bug');
    });
    const { told } = listen(feed);
    feed.announce(event(1))();
    expect(told).toEqual([1]);
    expect(lines).toEqual(['a listener of ledger events failed']);
  });
});
