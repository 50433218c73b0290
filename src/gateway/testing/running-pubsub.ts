import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../http/server.ts';
import type { Logger } from '../../ports/logger.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { PubSubClient } from '../../rpc/pubsub/testing/pubsub-client.ts';
import {
  createUpstreamPubSub,
  type UpstreamPubSub,
  type UpstreamPubSubOptions,
} from '../pubsub/upstream-pubsub.ts';
import { UrlKeys } from '../upstream-answer.ts';

/** A gateway's WebSocket server behind a real listener. The test controls its time. */
export interface RunningPubSub {
  readonly pubsub: UpstreamPubSub;
  readonly timer: HandTimer;
  /** The server's log entries, as JSON. */
  readonly lines: readonly string[];
  connect(): Promise<PubSubClient>;
}

/** Starts a server in front of `urls`. It is closed at the end of the test. */
export async function startUpstreamPubSub(
  urls: readonly (URL | string)[],
  options: Partial<UpstreamPubSubOptions> = {},
): Promise<RunningPubSub> {
  const lines: string[] = [];
  const write = (...line: unknown[]): number => lines.push(JSON.stringify(line));
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const timer = new HandTimer();
  const sockets = urls.map((url) => new URL(url));
  const pubsub = createUpstreamPubSub({
    urls: sockets,
    keys: new UrlKeys(sockets),
    read: () => Promise.reject(new Error('nothing is read')),
    isAllowed: () => false,
    ports: { timer, clock: timer, random: { bytes: (count) => new Uint8Array(count) }, logger },
    ...options,
  });
  const server = await startHttpServer('127.0.0.1', 0, (_request, response) => void response.end());
  server.onUpgrade(pubsub.upgrade);
  const clients: PubSubClient[] = [];
  onTestFinished(async () => {
    for (const { socket } of clients) socket.terminate();
    await pubsub.close();
    await server.close();
  });
  return {
    pubsub,
    timer,
    lines,
    connect: () => {
      const client = new PubSubClient(server.url.replace('http', 'ws'));
      clients.push(client);
      return client.opened();
    },
  };
}
