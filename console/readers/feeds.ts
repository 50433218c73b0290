import type { Ledger } from '../parts/reader.ts';
import { Feed, type Socket } from './feed.ts';
import { pathOf } from './wire.ts';

/** The live feeds of the page: one for each ledger and reader. */
export interface Feeds {
  /** @param wallet whose token the rollup is asked with; null for none. */
  of(ledger: Ledger, wallet: string | null): Feed;
  /** Closes the feeds of all owners: no socket of theirs outlives their viewpoint. */
  closeOwners(): void;
}

/**
 * @param open opens a WebSocket at a path of the page's origin.
 * @param tokenOf the token of a wallet; null where it is not logged in.
 */
export function createFeeds(
  open: (path: string) => Socket,
  after: (ms: number, then: () => void) => () => void,
  tokenOf: (wallet: string) => string | null,
): Feeds {
  const feeds = new Map<string, Feed>();
  return {
    of: (ledger, wallet) => {
      const key = `${ledger} ${wallet ?? ''}`;
      let feed = feeds.get(key);
      if (feed === undefined) {
        feed = new Feed({ after, open: () => open(socketPath(ledger, wallet, tokenOf)) });
        feeds.set(key, feed);
      }
      return feed;
    },
    closeOwners: () => {
      for (const [key, feed] of feeds) if (!key.endsWith(' ')) feed.close();
    },
  };
}

/** A browser's WebSocket carries no header: the node takes the token from the query, which is not logged. */
function socketPath(
  ledger: Ledger,
  wallet: string | null,
  tokenOf: (wallet: string) => string | null,
): string {
  const token = wallet === null ? null : tokenOf(wallet);
  return token === null ? pathOf(ledger) : `${pathOf(ledger)}?token=${encodeURIComponent(token)}`;
}

/** Opens a WebSocket at the page's own origin. */
export const openSocket = (path: string): Socket => {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
};

/** The timers of the platform. */
export const afterMs = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};
