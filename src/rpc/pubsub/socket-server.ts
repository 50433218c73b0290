import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientFinder, findPeer } from '../../http/client-address.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import type { RequestHandler } from '../../http/server.ts';
import { refuseUpgrade, type UpgradeHandler } from '../../http/upgrade.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { FOREIGN_HOST, type HttpRefusal, NULL_ORIGIN, requestToken } from '../http/http-exchange.ts';
import { Connection, type ConnectionOptions, GOING_AWAY } from './connection.ts';
import { Heartbeat } from './heartbeat.ts';
import type { PubSubLimits } from './limits.ts';

/** Options of a WebSocket server that concern handshakes. */
export interface HandshakeOptions {
  readonly guard?: HostCheck;
  /** Identifies the client, so that clients can take turns. Default: by the address of its connection. */
  readonly findClient?: ClientFinder;
  /** Checks the token of a handshake, once. Default: accepts any token. */
  readonly isTokenValid?: TokenCheck;
}

interface SocketServerOptions extends HandshakeOptions {
  readonly timer: Timer;
  readonly logger: Logger;
  readonly limits: PubSubLimits;
  /** Options of every connection. */
  readonly connections: Pick<ConnectionOptions, 'feeds' | 'fanOut' | 'onSubscriptions' | 'dispatcherFor'>;
}

/** Accepts WebSocket connections, pings them, and closes them. */
export class SocketServer {
  readonly #options: SocketServerOptions;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #heartbeat: Heartbeat;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: SocketServerOptions) {
    const { timer, limits } = options;
    this.#options = options;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: limits.messageBytesMax,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.#heartbeat = new Heartbeat(timer, limits.pingIntervalMs, () => {
      for (const connection of this.#connections) connection.probe();
    });
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Accepts handshakes on any path and from any number of listeners. */
  readonly upgrade: UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { connectionsMax } = this.#options.limits;
    const hasRoom = this.#closed === undefined && this.#connections.size < connectionsMax;
    const refusal = findRefusal(request, this.#options) ?? (hasRoom ? undefined : NO_ROOM);
    if (refusal !== undefined) refuseUpgrade(socket, refusal.status, refusal.text);
    else this.#server.handleUpgrade(request, socket, head, (peer) => this.#admit(peer, request));
  };

  /** Closes all connections (1001) and accepts no more. Resolves once they are closed. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#onEmpty = resolve;
      for (const connection of this.#connections) connection.close(GOING_AWAY);
      if (this.#connections.size === 0) resolve();
    });
    return this.#closed;
  }

  #admit(peer: WebSocket, request: IncomingMessage): void {
    const { timer, logger, limits, findClient = findPeer, connections } = this.#options;
    const connection = new Connection(peer, {
      ...connections,
      timer,
      limits,
      token: requestToken(request),
      address: findClient(request),
      onTooSlow: () =>
        logger.warn({ queuedBytes: peer.bufferedAmount }, 'pubsub client is too slow: connection closed'),
    });
    this.#connections.add(connection);
    this.#heartbeat.run(true);
    peer.once('close', () => {
      this.#connections.delete(connection);
      if (this.#connections.size > 0) return;
      this.#heartbeat.run(false);
      this.#onEmpty?.();
    });
  }
}

/** Checks the host of a request. The verdict on the origin is ignored: Solana nodes are open to all. */
type HostCheck = (request: IncomingMessage) => HostVerdict;

/** Response if the server is full or closing. */
const NO_ROOM: HttpRefusal = { status: 503, text: 'no more connections\n' };

/** Response to an invalid token. */
const BAD_TOKEN: HttpRefusal = { status: 401, text: 'the token is invalid or has expired\n' };

/** Whether a token is valid. */
type TokenCheck = (token: string) => boolean;

/** Checks a handshake by the rules for HTTP requests. Returns undefined if it is accepted. */
function findRefusal(
  request: IncomingMessage,
  { guard, isTokenValid }: HandshakeOptions,
): HttpRefusal | undefined {
  if (guard?.(request) === 'foreign-host') return FOREIGN_HOST;
  if (request.headers.origin === 'null') return NULL_ORIGIN;
  const token = requestToken(request);
  return token === null || isTokenValid === undefined || isTokenValid(token) ? undefined : BAD_TOKEN;
}

/** Answers plain HTTP requests on a WebSocket port (RFC 9110 section 15.5.22). */
export const refusePlainHttp: RequestHandler = (request, response) => {
  const text = 'this port accepts only WebSocket connections\n';
  request.resume();
  response.writeHead(426, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': text.length,
    upgrade: 'websocket',
    connection: 'upgrade, close',
  });
  response.end(text);
};
