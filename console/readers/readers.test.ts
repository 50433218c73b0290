import { expect, it } from 'vitest';
import { createFeeds, type Socket } from './feed.ts';
import { createReaders, createViewReader } from './readers.ts';

type Listener = (event: { readonly data: unknown }) => void;

it('reloads a view when its feed is back, because events may have been missed', () => {
  const sockets: Map<string, Listener>[] = [];
  const timers: (() => void)[] = [];
  const open = (): Socket => {
    const listeners = new Map<string, Listener>();
    sockets.push(listeners);
    return {
      addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
      send: () => undefined,
      close: () => undefined,
    };
  };
  const after = (_: number, then: () => void): (() => void) => {
    timers.push(then);
    return () => undefined;
  };
  const readers = createReaders({ now: () => 0, post: async () => '[]' }, () => null);
  const reader = createViewReader(
    readers,
    createFeeds(open, after, () => null),
    'base',
    null,
  );
  const heard: unknown[] = [];
  reader.subscribe('base', 'logsSubscribe', ['all'], (event) => heard.push(event));
  const fire = (type: string, message?: unknown): void =>
    sockets.at(-1)?.get(type)?.({ data: JSON.stringify(message) });
  fire('open');
  fire('message', { id: 1, result: 7 });
  fire('close');
  timers.shift()?.();
  fire('open');
  fire('message', { id: 1, result: 8 });
  expect(heard).toEqual([undefined]);
});

it('loads a missing transaction again, and a found one only once', async () => {
  const answers: unknown[] = [null, { slot: 1 }];
  let sent = 0;
  const post = async (): Promise<string> => {
    sent++;
    return JSON.stringify([{ id: 0, result: answers.shift() }]);
  };
  const feeds = createFeeds(
    () => {
      throw new Error('not followed');
    },
    () => () => undefined,
    () => null,
  );
  const readers = createReaders({ now: () => 0, post }, () => null);
  const reader = createViewReader(readers, feeds, 'base', null);
  const read = (): Promise<unknown> => reader.known('base', 'getTransaction', ['signature']);
  expect([await read(), await read(), await read()]).toEqual([null, { slot: 1 }, { slot: 1 }]);
  expect(sent).toBe(2);
});
