import type { Ledger } from '../parts/reader.ts';
import { signal, type Source } from '../parts/signal.ts';
import { readJson } from './transport.ts';
import { pathOf } from './wire.ts';

/** The used part of a `WebSocket`. */
export interface Socket {
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

/** Ports for a feed. */
interface FeedPorts {
  open(): Socket;
  /** Calls `then` after `ms`. Returns a function that cancels it. */
  after(ms: number, then: () => void): () => void;
}

/** The state of a feed. While it is paused, subscribers poll every few seconds. */
export type FeedState = 'closed' | 'connecting' | 'following' | 'paused';

/** Delay before a lost socket is opened again, ms. It doubles with each attempt. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 16_000;
/** Polling interval while there is no socket, ms. Shown data can be this old. */
export const POLL_MS = 3_000;

interface Subscription {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly onEvent: (value: unknown) => void;
  /** Id of the subscription at the node; null until the node has answered. */
  remote: number | null;
  /** Whether events may have been missed since the socket was lost. */
  hasGap: boolean;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly params?: { readonly subscription?: number; readonly result?: unknown };
}

/** A WebSocket of one reader to one ledger. It is open while it has subscriptions. */
export class Feed {
  readonly #ports: FeedPorts;
  readonly #state = signal<FeedState>('closed');
  readonly #subscriptions = new Map<number, Subscription>();
  #socket: Socket | null = null;
  #nextId = 1;
  #retryMs = RETRY_MS;
  #stops: (() => void)[] = [];

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  get state(): Source<FeedState> {
    return this.#state;
  }

  /**
   * Subscribes to notifications.
   *
   * @param onEvent called with each notification's result, and with undefined when the caller should reload:
   *   at intervals while the socket is lost, and once after it reconnects.
   * @returns a function that ends the subscription; the last one closes the socket.
   */
  subscribe(method: string, params: readonly unknown[], onEvent: (value: unknown) => void): () => void {
    const id = this.#nextId++;
    const subscription: Subscription = { method, params, onEvent, remote: null, hasGap: false };
    this.#subscriptions.set(id, subscription);
    if (this.#state.peek() === 'closed') this.#open();
    else if (this.#state.peek() === 'following') this.#send(id, method, params);
    return () => this.#unsubscribe(id, subscription);
  }

  /** Ends every subscription and closes the socket. */
  close(): void {
    const closing = this.#socket;
    const isOpen = this.#state.peek() === 'following';
    this.#socket = null;
    this.#subscriptions.clear();
    this.#rest();
    this.#state.value = 'closed';
    // Browsers log a warning if a socket is closed before it is open.
    if (isOpen) closing?.close();
    else closing?.addEventListener('open', () => closing.close());
  }

  #unsubscribe(id: number, { method, remote }: Subscription): void {
    if (!this.#subscriptions.delete(id)) return;
    if (this.#subscriptions.size === 0) this.close();
    else if (this.#state.peek() === 'following' && remote !== null) {
      this.#send(this.#nextId++, method.replace(/Subscribe$/, 'Unsubscribe'), [remote]);
    }
  }

  #open(): void {
    if (this.#state.peek() !== 'paused') this.#state.value = 'connecting';
    const socket = this.#ports.open();
    this.#socket = socket;
    socket.addEventListener('open', () => {
      if (this.#socket === socket) this.#follow();
    });
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#hear(readMessage(data));
    });
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#pause();
    });
  }

  #follow(): void {
    this.#rest();
    this.#retryMs = RETRY_MS;
    this.#state.value = 'following';
    for (const [id, { method, params }] of this.#subscriptions) this.#send(id, method, params);
  }

  #pause(): void {
    this.#socket = null;
    this.#state.value = 'paused';
    this.#rest();
    for (const each of this.#subscriptions.values()) {
      each.remote = null;
      each.hasGap = true;
    }
    this.#stops.push(this.#ports.after(this.#retryMs, () => this.#open()));
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
    this.#poll();
  }

  #poll(): void {
    const ask = (): void => {
      for (const { onEvent } of this.#subscriptions.values()) onEvent(undefined);
      this.#poll();
    };
    this.#stops.push(this.#ports.after(POLL_MS, ask));
  }

  #rest(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #hear({ id, result, params }: Message): void {
    const asked = id === undefined ? undefined : this.#subscriptions.get(id);
    if (asked !== undefined && typeof result === 'number') subscribed(asked, result);
    if (params?.subscription === undefined) return;
    for (const each of this.#subscriptions.values()) {
      if (each.remote === params.subscription) each.onEvent(params.result);
    }
  }

  #send(id: number, method: string, params: readonly unknown[]): void {
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }
}

/** Confirms a subscription. After a gap, it triggers one reload, because no event is missed from now on. */
function subscribed(subscription: Subscription, remote: number): void {
  subscription.remote = remote;
  if (!subscription.hasGap) return;
  subscription.hasGap = false;
  subscription.onEvent(undefined);
}

function readMessage(data: unknown): Message {
  try {
    return typeof data === 'string' ? ((readJson(data) as Message | null) ?? {}) : {};
  } catch {
    return {};
  }
}

/** The live feeds of the page, one for each ledger and reader. */
export interface Feeds {
  /** Returns a feed. @param wallet the wallet whose token is sent to the rollup; null for none. */
  of(ledger: Ledger, wallet: string | null): Feed;
  /** Closes the feeds of all owners when the viewpoint changes. */
  closeOwners(): void;
}

/**
 * @param open opens a WebSocket at a path of the page's origin.
 * @param tokenOf the token of a wallet; null if it is not logged in.
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

/** The path of a feed. The token is in the query (never logged), because WebSockets send no headers. */
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

/** Calls `then` after `ms` with a platform timer. Returns a function that cancels it. */
export const afterMs = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};
