import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** A call that a {@link ScriptedSocket} received. */
interface ReceivedCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The upstream's side of one call. */
export interface AskedCall extends ReceivedCall {
  /** Answers with a result, by default the number of the call. */
  accept(result?: unknown): void;
  refuse(error: object): void;
  /** Sends any text on the connection of the call. */
  send(text: string): void;
  /** Sends a notification of the subscription `id`, by default the number of the call. */
  notify(result: unknown, id?: number): void;
  /** Ends the connection without a close frame. */
  cut(): void;
  /** Reads nothing more on the connection, so pings stay unanswered. */
  stall(): void;
}

/** An upstream with a WebSocket that a test controls. */
export interface ScriptedSocket {
  readonly url: URL;
  /** All calls so far. */
  readonly calls: readonly ReceivedCall[];
  /** Number of connections so far. */
  readonly connections: number;
  /** Returns the next call. */
  next(): Promise<AskedCall>;
}

/** Starts an upstream on a free port. It is closed at the end of the test. */
export async function startScriptedSocket(): Promise<ScriptedSocket> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const calls: ReceivedCall[] = [];
  const arrived: AskedCall[] = [];
  const waiting: ((call: AskedCall) => void)[] = [];
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('message', (data) => {
      const call = JSON.parse(String(data)) as ReceivedCall;
      const asked = askedOn(socket, call, calls.push(call));
      const next = waiting.shift();
      if (next === undefined) arrived.push(asked);
      else next(asked);
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`ws://127.0.0.1:${port}`),
    calls,
    get connections() {
      return connections;
    },
    next: () => {
      const call = arrived.shift();
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call);
    },
  };
}

function askedOn(socket: WebSocket, call: ReceivedCall, number: number): AskedCall {
  const { id, method } = call;
  const send = (message: object): void => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return {
    ...call,
    accept: (result = number) => send({ result, id }),
    refuse: (error) => send({ error, id }),
    send: (text) => socket.send(text),
    notify: (result, subscription = number) =>
      send({ method: method.replace('Subscribe', 'Notification'), params: { result, subscription } }),
    cut: () => socket.terminate(),
    stall: () => socket.pause(),
  };
}
