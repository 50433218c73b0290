import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientFinder, findPeer } from '../../http/client-address.ts';
import type { HostVerdict } from '../../http/host-guard.ts';
import type { RequestHandler } from '../../http/server.ts';
import { refuseUpgrade, type UpgradeHandler } from '../../http/upgrade.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { BATCH_MAX, type CallObserver, createDispatcher, type Dispatcher } from '../dispatcher.ts';
import { FOREIGN_HOST, type HttpRefusal, NULL_ORIGIN, requestToken } from '../http/http-exchange.ts';
import { getVersion } from '../methods/cluster-methods.ts';
import type { RpcNode } from '../rpc-method.ts';
import { Connection, GOING_AWAY } from './connection.ts';
import { FanOut } from './fan-out.ts';
import { Feeds, type View } from './feeds.ts';
import { PUBSUB_LIMITS, type PubSubLimits } from './limits.ts';
import {
  accountSubscribe,
  logsSubscribe,
  programSubscribe,
  signatureSubscribe,
} from './methods/account-subscriptions.ts';
import {
  blockSubscribe,
  rootSubscribe,
  slotSubscribe,
  slotsUpdatesSubscribe,
} from './methods/slot-subscriptions.ts';
import { SlotTicker } from './slot-ticker.ts';
import { type ConnectionMethod, unsubscribe } from './subscription-method.ts';

/** Agave's `RpcSolPubSub` without `voteSubscribe`, because this node has no votes, plus `getVersion`. */
export const PUBSUB_METHODS: readonly ConnectionMethod[] = [
  accountSubscribe,
  unsubscribe('accountUnsubscribe'),
  programSubscribe,
  unsubscribe('programUnsubscribe'),
  logsSubscribe,
  unsubscribe('logsUnsubscribe'),
  signatureSubscribe,
  unsubscribe('signatureUnsubscribe'),
  slotSubscribe,
  unsubscribe('slotUnsubscribe'),
  slotsUpdatesSubscribe,
  unsubscribe('slotsUpdatesUnsubscribe'),
  blockSubscribe,
  unsubscribe('blockUnsubscribe'),
  rootSubscribe,
  unsubscribe('rootUnsubscribe'),
  { name: getVersion.name, on: () => getVersion },
];

/** Options of {@link createPubSub}. */
export interface PubSubOptions {
  readonly node: RpcNode;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  readonly guard?: HostCheck;
  /** Identifies the client, because clients take turns. Default: by the address of its connection. */
  readonly findClient?: ClientFinder;
  /** Hides private data from subscribers. Without it, all subscribers see everything. */
  readonly view?: View;
  /** Checks the token of a handshake, once. Default: accepts any token. */
  readonly isTokenValid?: TokenCheck;
  /** Called after every call, as over HTTP. */
  readonly observe?: CallObserver;
  readonly limits?: Partial<PubSubLimits>;
}

/** The WebSocket server of a ledger node (Agave's PubSub). */
export interface PubSub {
  /** Accepts handshakes on any path and from any number of listeners. */
  readonly upgrade: UpgradeHandler;
  readonly connections: number;
  /** Number of subscriptions of all connections. */
  readonly subscriptions: number;
  /** Closes all connections (1001) and accepts no more. Resolves once they are closed. */
  close(): Promise<void>;
}

/** Creates the server and starts listening to the ledger. */
export function createPubSub(options: PubSubOptions): PubSub {
  return new PubSubServer(options);
}

class PubSubServer implements PubSub {
  readonly #options: PubSubOptions;
  readonly #limits: PubSubLimits;
  readonly #server: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #feeds: Feeds;
  readonly #fanOut: FanOut;
  readonly #ticker: SlotTicker;
  readonly #heartbeat: Heartbeat;
  readonly #unsubscribe: () => void;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: PubSubOptions) {
    const { node, timer, logger, view } = options;
    const { ledger } = node;
    this.#options = options;
    this.#limits = { ...PUBSUB_LIMITS, ...options.limits };
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: this.#limits.messageBytesMax,
      perMessageDeflate: false,
      clientTracking: false,
    });
    this.#feeds = new Feeds(this.#limits);
    this.#fanOut = new FanOut({ feeds: this.#feeds, ledger, logger, view });
    this.#ticker = new SlotTicker({
      ...options,
      ledger,
      slotsAtOnceMax: this.#limits.slotsAtOnceMax,
      publish: (passed) => this.#fanOut.publish(passed),
    });
    this.#heartbeat = new Heartbeat(timer, this.#limits.pingIntervalMs, () => {
      for (const connection of this.#connections) connection.probe();
    });
    this.#unsubscribe = ledger.subscribe((event) => this.#onEvent(event));
  }

  get connections(): number {
    return this.#connections.size;
  }

  get subscriptions(): number {
    return this.#feeds.subscriptions;
  }

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const hasRoom = this.#closed === undefined && this.#connections.size < this.#limits.connectionsMax;
    const refusal = findRefusal(request, this.#options) ?? (hasRoom ? undefined : NO_ROOM);
    if (refusal !== undefined) refuseUpgrade(socket, refusal.status, refusal.text);
    else this.#server.handleUpgrade(request, socket, head, (peer) => this.#admit(peer, request));
  };

  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#unsubscribe();
      for (const connection of this.#connections) connection.close(GOING_AWAY);
      if (this.#connections.size === 0) resolve();
    });
    return this.#closed;
  }

  #admit(peer: WebSocket, request: IncomingMessage): void {
    const { timer, logger, findClient = findPeer } = this.#options;
    const connection = new Connection(peer, {
      feeds: this.#feeds,
      fanOut: this.#fanOut,
      timer,
      limits: this.#limits,
      token: requestToken(request),
      address: findClient(request),
      onSubscriptions: () => this.#ticker.run(this.#feeds.wantsSlots),
      onTooSlow: () =>
        logger.warn({ queuedBytes: peer.bufferedAmount }, 'pubsub client is too slow: connection closed'),
      dispatcherFor: (caller) => this.#dispatcherFor(caller),
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

  #dispatcherFor(connection: Connection): Dispatcher {
    const { node, logger, observe } = this.#options;
    const methods = PUBSUB_METHODS.map((method) => method.on(connection));
    return createDispatcher({ node, methods, batchMax: BATCH_MAX, logger, ...(observe && { observe }) });
  }

  #onEvent(event: LedgerEvent): void {
    // The slot must be reported before its events.
    this.#ticker.reach(event);
    this.#fanOut.publish(event);
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
  { guard, isTokenValid }: { readonly guard?: HostCheck; readonly isTokenValid?: TokenCheck },
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

/** Runs an action at regular intervals while it is needed. */
class Heartbeat {
  readonly #timer: Timer;
  readonly #intervalMs: number;
  readonly #beat: () => void;
  #callOff: (() => void) | undefined;

  constructor(timer: Timer, intervalMs: number, beat: () => void) {
    this.#timer = timer;
    this.#intervalMs = intervalMs;
    this.#beat = beat;
  }

  /** Starts or stops. The first run is after one interval. */
  run(isWanted: boolean): void {
    if (isWanted === (this.#callOff !== undefined)) return;
    if (isWanted) this.#schedule();
    else {
      this.#callOff?.();
      this.#callOff = undefined;
    }
  }

  #schedule(): void {
    this.#callOff = this.#timer.after(this.#intervalMs, () => {
      this.#schedule();
      this.#beat();
    });
  }
}
