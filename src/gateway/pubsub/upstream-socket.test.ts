import { expect, it, vi } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';
import { startScriptedSocket } from '../testing/scripted-socket.ts';
import { UpstreamSocket } from './upstream-socket.ts';

/** A socket to `urls` that is always wanted, the delays it asks for, and the events it reports. */
function open(urls: readonly URL[]) {
  const timer = new HandTimer();
  const delays: number[] = [];
  const events: string[] = [];
  const recording = { after: (ms: number, run: () => void) => (delays.push(ms), timer.after(ms, run)) };
  // Zeros make each pause the shortest.
  const random = { bytes: (length: number) => new Uint8Array(length) };
  const socket = new UpstreamSocket(
    urls,
    { timer: recording, random, logger: silentLogger },
    {
      onOpen: () => events.push('open'),
      onMessage: () => events.push('message'),
      onUnreachable: () => events.push('unreachable'),
      isWanted: () => true,
    },
  );
  return { socket, timer, delays, events };
}

it('pauses longer after each round of failures, up to 16 s', async () => {
  const dead = new URL('ws://127.0.0.1:1');
  const { socket, timer, delays, events } = open([dead, dead]);
  socket.connect();
  for (let count = 1; count <= 16; count++) {
    await vi.waitFor(() => expect(delays).toHaveLength(count), PATIENCE);
    timer.pass(delays.at(-1) as number);
  }
  const rounds = [125, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000];
  expect(delays).toEqual(rounds.flatMap((pause) => [pause, pause]));
  expect(events).toEqual(Array.from(rounds, () => 'unreachable'));
  socket.close();
});

it('starts with the shortest pause again after a good connection', async () => {
  const upstream = await startScriptedSocket();
  const { socket, timer, delays, events } = open([upstream.url]);
  const connectAndCut = async (connectedMs: number): Promise<void> => {
    events.length = 0;
    socket.connect();
    await vi.waitFor(() => expect(events).toEqual(['open']), PATIENCE);
    timer.pass(connectedMs);
    socket.send('{}');
    const call = await upstream.next();
    delays.length = 0;
    call.cut();
    await vi.waitFor(() => expect(delays).toHaveLength(1), PATIENCE);
    timer.pass(delays[0] as number);
  };
  const pauses: (number | undefined)[] = [];
  for (const connectedMs of [0, 0, 10_000]) {
    await connectAndCut(connectedMs);
    pauses.push(delays[0]);
  }
  expect(pauses).toEqual([125, 250, 125]);
  socket.close();
});

it('drops a connection that does not answer a ping, and opens another', async () => {
  const upstream = await startScriptedSocket();
  const { socket, timer, events } = open([upstream.url]);
  socket.connect();
  await vi.waitFor(() => expect(events).toEqual(['open']), PATIENCE);
  socket.send('{}');
  (await upstream.next()).stall();
  timer.pass(60_000);
  await vi.waitFor(() => {
    timer.pass(125);
    expect(events).toEqual(['open', 'open']);
  }, PATIENCE);
  socket.close();
});
