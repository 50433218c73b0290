import { describe, expect, it } from 'vitest';
import { Feed, POLL_MS, type Socket, createFeeds } from './feed.ts';

type Listener = (event: { readonly data: unknown }) => void;

/** A socket that is opened, spoken through and lost by hand. */
class HandSocket implements Socket {
  readonly sent: { readonly id: number; readonly method: string; readonly params: unknown }[] = [];
  isClosed = false;
  readonly #listeners = new Map<string, Listener[]>();

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { id: number; method: string; params: unknown });
  }

  close(): void {
    this.isClosed = true;
    this.fire('close');
  }

  fire(type: string, message?: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data: JSON.stringify(message) });
  }
}

function begin() {
  const sockets: HandSocket[] = [];
  let timers: { readonly ms: number; readonly run: () => void }[] = [];
  const feed = new Feed({
    open: () => {
      const socket = new HandSocket();
      sockets.push(socket);
      return socket;
    },
    after: (ms, then) => {
      const timer = { ms, run: then };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  });
  const pass = (ms: number): void => {
    const due = timers.filter((timer) => timer.ms <= ms);
    timers = timers.filter((timer) => timer.ms > ms);
    for (const { run } of due) run();
  };
  return { feed, sockets, pass, waiting: () => timers.map(({ ms }) => ms) };
}

describe('a feed', () => {
  it('opens one socket for all subscriptions, and gives each its own events', () => {
    const { feed, sockets } = begin();
    const heard: unknown[] = [];
    feed.subscribe('logsSubscribe', ['all'], (event) => heard.push(['logs', event]));
    feed.subscribe('slotSubscribe', [], (event) => heard.push(['slot', event]));
    const [socket] = sockets;
    expect([sockets.length, feed.state.value, socket?.sent]).toEqual([1, 'connecting', []]);
    socket?.fire('open');
    expect(feed.state.value).toBe('following');
    const [logs, slot] = socket?.sent ?? [];
    socket?.fire('message', { id: slot?.id, result: 5 });
    socket?.fire('message', { id: logs?.id, result: 6 });
    socket?.fire('message', { method: 'slotNotification', params: { subscription: 5, result: { slot: 1 } } });
    socket?.fire('message', { method: 'logsNotification', params: { subscription: 6, result: 'x' } });
    expect(heard).toEqual([
      ['slot', { slot: 1 }],
      ['logs', 'x'],
    ]);
  });

  it('that loses its socket polls every 3 s, opens another socket, and subscribes again', () => {
    const { feed, sockets, pass, waiting } = begin();
    const heard: unknown[] = [];
    feed.subscribe('logsSubscribe', ['all'], (event) => heard.push(event));
    sockets[0]?.fire('open');
    sockets[0]?.fire('close');
    expect(feed.state.value).toBe('paused');
    pass(POLL_MS);
    expect(heard).toEqual([undefined]);
    expect(sockets).toHaveLength(2);
    sockets[1]?.fire('open');
    expect([feed.state.value, sockets[1]?.sent.map(({ method }) => method), waiting()]).toEqual([
      'following',
      ['logsSubscribe'],
      [],
    ]);
  });

  it('requests the events of a gap too short for polling, after it has subscribed again', () => {
    const { feed, sockets, pass } = begin();
    const heard: unknown[] = [];
    feed.subscribe('logsSubscribe', ['all'], (event) => heard.push(event));
    sockets[0]?.fire('open');
    sockets[0]?.fire('message', { id: 1, result: 7 });
    sockets[0]?.fire('close');
    pass(1_000);
    sockets[1]?.fire('open');
    expect(heard).toEqual([]);
    sockets[1]?.fire('message', { id: 1, result: 8 });
    expect(heard).toEqual([undefined]);
    sockets[1]?.fire('message', { params: { subscription: 8, result: 'next' } });
    expect(heard).toEqual([undefined, 'next']);
  });

  it('doubles its wait before each retry, up to 16 s', () => {
    const { feed, sockets, pass, waiting } = begin();
    feed.subscribe('slotSubscribe', [], () => undefined);
    const waits: number[] = [];
    for (let lost = 0; lost < 6; lost++) {
      sockets.at(-1)?.fire('close');
      const wait = waiting().find((ms) => ms !== POLL_MS) ?? 0;
      waits.push(wait);
      pass(wait);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 16_000]);
  });

  it('closes its socket with the last subscription, and delivers nothing after that', () => {
    const { feed, sockets } = begin();
    const heard: unknown[] = [];
    const [first, second] = [
      feed.subscribe('slotSubscribe', [], (event) => heard.push(event)),
      feed.subscribe('logsSubscribe', [], (event) => heard.push(event)),
    ];
    sockets[0]?.fire('open');
    sockets[0]?.fire('message', { id: 1, result: 4 });
    first();
    expect(sockets[0]?.sent.at(-1)).toMatchObject({ method: 'slotUnsubscribe', params: [4] });
    expect(sockets[0]?.isClosed).toBe(false);
    second();
    second();
    expect([sockets[0]?.isClosed, feed.state.value]).toEqual([true, 'closed']);
    sockets[0]?.fire('message', { params: { subscription: 4, result: 'late' } });
    expect(heard).toEqual([]);
  });

  it('ignores messages that are not JSON', () => {
    const { feed, sockets } = begin();
    feed.subscribe('slotSubscribe', [], () => undefined);
    sockets[0]?.fire('open');
    sockets[0]?.fire('message', undefined);
    expect(feed.state.value).toBe('following');
  });
});

describe('the feeds of the page', () => {
  it('are one for each ledger and reader, and those of owners end when their viewpoint is left', () => {
    const opened: { readonly path: string; readonly socket: HandSocket }[] = [];
    const feeds = createFeeds(
      (path) => {
        const socket = new HandSocket();
        opened.push({ path, socket });
        return socket;
      },
      () => () => undefined,
      (wallet) => `token of ${wallet}`,
    );
    expect(feeds.of('rollup', 'Alice')).toBe(feeds.of('rollup', 'Alice'));
    for (const wallet of [null, 'Alice', 'Bob'])
      feeds.of('rollup', wallet).subscribe('slotSubscribe', [], () => undefined);
    feeds.of('base', null).subscribe('slotSubscribe', [], () => undefined);
    expect(opened.map(({ path }) => path)).toEqual([
      '/console/rpc/rollup',
      '/console/rpc/rollup?token=token%20of%20Alice',
      '/console/rpc/rollup?token=token%20of%20Bob',
      '/console/rpc/base',
    ]);
    for (const { socket } of opened) socket.fire('open');
    feeds.closeOwners();
    expect(opened.map(({ socket }) => socket.isClosed)).toEqual([false, true, true, false]);
  });
});
