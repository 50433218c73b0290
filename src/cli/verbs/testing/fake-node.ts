import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

/** The responses by method, computed from the params. A thrown error becomes the node's error. */
type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** A logs notification in JSON-RPC's format. */
interface Notified {
  readonly signature: string;
  readonly err: unknown;
  readonly logs: readonly string[];
}

/** A node with scripted answers. */
export interface FakeNode {
  readonly url: string;
  /** Notifies every subscriber of logs about a transaction. */
  notify(slot: number, value: Notified): void;
  close(): void;
}

/** Maximum number of port pairs to try. */
const TRIES_MAX = 20;

/**
 * Opens a JSON-RPC node, with its WebSocket one port above. It accepts every subscription, and then calls
 * `logsSubscribe` of `answers` if present.
 */
export async function openFakeNode(answers: Answers): Promise<FakeNode> {
  const { http, pubsub, port } = await listenOnPair();
  http.on('request', async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request)) as Asked;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcomeOf(() => answers[method]?.(params)) }));
  });
  pubsub.on('connection', (socket) => {
    socket.on('message', (bytes: Buffer) => {
      const { id, method, params } = JSON.parse(bytes.toString()) as Asked;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: id }));
      answers[method]?.(params);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    notify(slot, value) {
      const result = { context: { slot }, value };
      const params = { subscription: 0, result };
      const message = JSON.stringify({ jsonrpc: '2.0', method: 'logsNotification', params });
      for (const socket of pubsub.clients) socket.send(message);
    },
    close() {
      http.close();
      pubsub.close();
    },
  };
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

function outcomeOf(answer: () => unknown): object {
  try {
    return { result: answer() ?? null };
  } catch (error) {
    return { error: { code: -32_000, message: String(error) } };
  }
}

async function listenOnPair(): Promise<{ http: Server; pubsub: WebSocketServer; port: number }> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const pubsub = new WebSocketServer({ host: '127.0.0.1', port: port + 1 });
    try {
      await once(pubsub, 'listening');
      return { http, pubsub, port };
    } catch {
      http.close();
    }
  }
  throw new Error('no two ports in a row are free');
}
