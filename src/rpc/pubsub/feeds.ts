import { Shares } from '../../http/shares.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { INTERNAL_ERROR, RpcError } from '../errors.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import type { Happening } from './happening.ts';
import type { PubSubLimits } from './limits.ts';
import { searchesProgram, type Source, type Topic } from './topic.ts';

/** A subscriber. */
export interface Subscriber {
  /** Its token; null if it has none. */
  readonly token: string | null;
  /** The key of its client in tables of addresses. */
  readonly address: string;
  /** Sends a notification. */
  notify(message: Buffer): void;
  /** Ends one of its subscriptions; false if it has none with that id. */
  unsubscribe(id: number): boolean;
}

/** A topic with at least one subscriber. */
export interface Feed {
  /** The subscription id, shared by all subscribers. In Agave, too, an id belongs to a topic. */
  readonly id: number;
  readonly topic: Topic;
  readonly subscribers: ReadonlySet<Subscriber>;
}

interface OpenFeed extends Feed {
  readonly subscribers: Set<Subscriber>;
  /** The client that opened it, on whose account it is until it closes. */
  readonly openedBy: string;
}

type FeedsLimits = Pick<PubSubLimits, 'subscriptionsMax' | 'programFeedsMax'>;

type Index = Record<Source['kind'], Map<string, Set<OpenFeed>>>;

/** All feeds, indexed by the sources of their topics. */
export class Feeds {
  readonly #subscriptions: Shares;
  readonly #programFeeds: Shares;
  readonly #byKey = new Map<string, OpenFeed>();
  readonly #index: Index = {
    account: new Map(),
    program: new Map(),
    mention: new Map(),
    signature: new Map(),
    transaction: new Map(),
    'slot-ended': new Map(),
    'slot-began': new Map(),
  };
  #nextId = 0;

  constructor({ subscriptionsMax, programFeedsMax }: FeedsLimits) {
    this.#subscriptions = new Shares(subscriptionsMax);
    this.#programFeeds = new Shares(programFeedsMax);
  }

  /** The number of subscriptions, counting every subscriber of a feed. */
  get subscriptions(): number {
    return this.#subscriptions.taken;
  }

  /** The number of different topics. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Whether any topic depends on slots. */
  get wantsSlots(): boolean {
    return this.#index['slot-began'].size > 0 || this.#index['slot-ended'].size > 0;
  }

  /**
   * Subscribes to a topic. A repeated subscription has no effect.
   *
   * @throws {RpcError} -32603 with Agave's text if there are too many subscriptions.
   */
  join(topic: Topic, subscriber: Subscriber): Feed {
    const known = this.#byKey.get(topic.key);
    if (known?.subscribers.has(subscriber) === true) return known;
    const { address } = subscriber;
    if (!this.#subscriptions.hasRoomFor(address)) throw tooManySubscriptions();
    if (known === undefined && searchesProgram(topic) && !this.#programFeeds.hasRoomFor(address)) {
      throw tooManySubscriptions();
    }
    const feed = known ?? this.#open(topic, address);
    feed.subscribers.add(subscriber);
    this.#subscriptions.take(address);
    return feed;
  }

  /** Whether the subscriber has this topic already. */
  hasJoined({ key }: Topic, subscriber: Subscriber): boolean {
    return this.#byKey.get(key)?.subscribers.has(subscriber) === true;
  }

  /** Ends a subscription. A feed without subscribers is dropped, and its id is never reused. */
  leave({ topic }: Feed, subscriber: Subscriber): void {
    const feed = this.#byKey.get(topic.key);
    if (feed === undefined || !feed.subscribers.delete(subscriber)) return;
    this.#subscriptions.giveBack(subscriber.address);
    if (feed.subscribers.size === 0) this.#close(feed);
  }

  /** The feeds that a happening may concern. No others are examined. */
  concernedBy(happening: Happening): ReadonlySet<Feed> {
    const found = new Set<Feed>();
    const find = (kind: Source['kind'], of: string): void => {
      for (const feed of this.#index[kind].get(of) ?? []) found.add(feed);
    };
    if (happening.kind === 'slot-began' || happening.kind === 'slot-ended') {
      find(happening.kind, '');
      return found;
    }
    for (const { address, after } of happening.changes) {
      find('account', address);
      // By the new owner: an account that leaves a program is not reported to that program's subscribers.
      find('program', (after ?? GONE).owner);
    }
    if (happening.kind === 'transaction') {
      const { record } = happening;
      find('transaction', '');
      // Decoding the transaction is skipped if nobody needs its keys.
      if (this.#index.mention.size > 0) {
        const keys = allAccountKeys(decodeTransaction(record.wire), record.loadedAddresses);
        for (const key of keys) find('mention', key);
      }
      find('signature', record.signature);
    }
    return found;
  }

  #open(topic: Topic, openedBy: string): OpenFeed {
    const feed: OpenFeed = { id: this.#nextId++, topic, subscribers: new Set(), openedBy };
    this.#byKey.set(topic.key, feed);
    if (searchesProgram(topic)) this.#programFeeds.take(openedBy);
    for (const { kind, of } of topic.sources) {
      const feeds = this.#index[kind].get(of);
      if (feeds === undefined) this.#index[kind].set(of, new Set([feed]));
      else feeds.add(feed);
    }
    return feed;
  }

  #close(feed: OpenFeed): void {
    this.#byKey.delete(feed.topic.key);
    if (searchesProgram(feed.topic)) this.#programFeeds.giveBack(feed.openedBy);
    for (const { kind, of } of feed.topic.sources) {
      const feeds = this.#index[kind].get(of);
      feeds?.delete(feed);
      if (feeds?.size === 0) this.#index[kind].delete(of);
    }
  }
}

/** The answer to a subscription over the limit (Agave `RpcSolPubSubImpl::subscribe`). */
export function tooManySubscriptions(): RpcError {
  return new RpcError(
    INTERNAL_ERROR,
    'Internal Error: Subscription refused. Node subscription limit reached',
  );
}
