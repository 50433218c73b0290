import type { UpgradeHandler } from '../../http/upgrade.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { BATCH_MAX, type CallObserver, createDispatcher, type Dispatcher } from '../dispatcher.ts';
import { getVersion } from '../methods/cluster-methods.ts';
import type { RpcNode } from '../rpc-method.ts';
import type { Connection } from './connection.ts';
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
import { type HandshakeOptions, SocketServer } from './socket-server.ts';
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
export interface PubSubOptions extends HandshakeOptions {
  readonly node: RpcNode;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Hides private data from subscribers. Without it, all subscribers see everything. */
  readonly view?: View;
  /** Observer to call after every call, as over HTTP. */
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
  readonly #server: SocketServer;
  readonly #feeds: Feeds;
  readonly #fanOut: FanOut;
  readonly #ticker: SlotTicker;
  readonly #unsubscribe: () => void;

  constructor(options: PubSubOptions) {
    const { node, logger, view } = options;
    const { ledger } = node;
    const limits = { ...PUBSUB_LIMITS, ...options.limits };
    this.#options = options;
    this.#feeds = new Feeds(limits);
    this.#fanOut = new FanOut({ feeds: this.#feeds, ledger, logger, view });
    this.#ticker = new SlotTicker({
      ...options,
      ledger,
      slotsAtOnceMax: limits.slotsAtOnceMax,
      publish: (passed) => this.#fanOut.publish(passed),
    });
    this.#server = new SocketServer({
      ...options,
      limits,
      connections: {
        feeds: this.#feeds,
        fanOut: this.#fanOut,
        onSubscriptions: () => this.#ticker.run(this.#feeds.wantsSlots),
        dispatcherFor: (caller) => this.#dispatcherFor(caller),
      },
    });
    this.#unsubscribe = ledger.subscribe((event) => this.#onEvent(event));
  }

  get upgrade(): UpgradeHandler {
    return this.#server.upgrade;
  }

  get connections(): number {
    return this.#server.connections;
  }

  get subscriptions(): number {
    return this.#feeds.subscriptions;
  }

  close(): Promise<void> {
    this.#unsubscribe();
    return this.#server.close();
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
