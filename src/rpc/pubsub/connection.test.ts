import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { Connection } from './connection.ts';
import { PUBSUB_LIMITS } from './limits.ts';

/** The server side of a client. A test emits its messages while it is not paused. */
class FakeSocket extends EventEmitter {
  isPaused = false;
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  send(message: string): void {
    this.sent.push(message);
  }
}

it('stops reading from a client with many waiting calls, then continues (bug: everything was buffered)', async () => {
  const socket = new FakeSocket();
  const held: ((answer: string) => void)[] = [];
  const connection = new Connection(socket as unknown as WebSocket, {
    feeds: null as never,
    fanOut: null as never,
    timer: new HandTimer(),
    limits: PUBSUB_LIMITS,
    token: null,
    address: '127.0.0.1',
    onSubscriptions: () => {},
    onTooSlow: () => {},
    dispatcherFor: () => () => new Promise<string>((resolve) => held.push(resolve)),
  });
  expect(connection.token).toBeNull();
  let sent = 0;
  while (!socket.isPaused && sent < 10_000) socket.emit('message', Buffer.from(`${sent++}`), false);
  expect(sent).toBe(PUBSUB_LIMITS.waitingCallsMax);
  for (let answered = 1; answered <= sent; answered++) {
    await vi.waitFor(() => expect(held).toHaveLength(answered), PATIENCE);
    held.at(-1)?.(`${answered}`);
    await vi.waitFor(() => expect(socket.sent).toHaveLength(answered), PATIENCE);
    if (answered < sent / 2) expect(socket.isPaused).toBe(true);
  }
  await vi.waitFor(() => expect(socket.isPaused).toBe(false), PATIENCE);
});
