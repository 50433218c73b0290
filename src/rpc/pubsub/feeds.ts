import { Shares } from '../../http/in-flight.ts';
import type { LedgerEvent } from '../../ledger/ledger-events.ts';
import type { AccountReads, Block, TransactionRecord } from '../../ledger/ledger.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { SYSVAR_OWNER } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, SLOT_HASHES_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { INTERNAL_ERROR, RpcError } from '../errors.ts';
import type { AccountTexts } from './fan-out.ts';
import type { PubSubLimits } from './limits.ts';

/** The event that a slot has ended. All its transactions are durable and published. */
export interface SlotEnded {
  readonly kind: 'slot-ended';
  readonly slot: number;
  /** Reads the block of the slot; null if the ledger no longer stores it. */
  readonly block: () => Block | null;
  /** Time of detection, in Unix ms. */
  readonly unixMs: number;
}

/** The event that a slot has begun. */
export interface SlotBegan {
  readonly kind: 'slot-began';
  readonly slot: number;
  readonly parentSlot: number;
  /** Whether the slot is still the current one. The sysvars of past slots are not available. */
  readonly isPresent: boolean;
  /** Time of detection, in Unix ms. */
  readonly unixMs: number;
}

/** All events that subscribers can be notified of. */
export type FeedEvent = LedgerEvent | SlotEnded | SlotBegan;

/** A receiver of notifications. */
export interface Subscriber {
  /** The subscriber's token; null if it has none. */
  readonly token: string | null;
  /** The key of the subscriber's client (`clientOf`). */
  readonly address: string;
  /** Sends a notification of the subscription with this id. */
  notify(message: Buffer, id: number): void;
  /** Ends a subscription. Returns false if the subscriber has none with this id. */
  unsubscribe(id: number): boolean;
  /** Disconnects the subscriber with a close code of RFC 6455. */
  close(code: number): void;
}

/** A topic with at least one subscriber. */
export interface Feed {
  /** The subscription id, which all subscribers share, as in Agave. */
  readonly id: number;
  readonly topic: Topic;
  readonly subscribers: ReadonlySet<Subscriber>;
}

interface OpenFeed extends Feed {
  readonly subscribers: Set<Subscriber>;
  /** The client that opened the feed. The feed counts towards this client's share until it closes. */
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

  /** Number of subscriptions. Each subscriber of a feed counts. */
  get subscriptions(): number {
    return this.#subscriptions.taken;
  }

  /** Number of different topics. */
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

  /** Ends a subscription. Removes a feed without subscribers and never reuses its id. */
  leave({ topic }: Feed, subscriber: Subscriber): void {
    const feed = this.#byKey.get(topic.key);
    if (feed === undefined || !feed.subscribers.delete(subscriber)) return;
    this.#subscriptions.release(subscriber.address);
    if (feed.subscribers.size === 0) this.#close(feed);
  }

  /** Finds the feeds that an event may concern, without examining any others. */
  concernedBy(event: FeedEvent): ReadonlySet<Feed> {
    const found = new Set<Feed>();
    const find = (kind: Source['kind'], of: string): void => {
      for (const feed of this.#index[kind].get(of) ?? []) found.add(feed);
    };
    if (event.kind === 'slot-began' || event.kind === 'slot-ended') {
      find(event.kind, '');
      return found;
    }
    for (const { address, after } of event.changes) {
      find('account', address);
      // Subscribers of a program are not notified if an account changes to a different owner.
      find('program', (after ?? GONE).owner);
    }
    if (event.kind === 'transaction') {
      const { record } = event;
      find('transaction', '');
      // Decode the transaction only if a topic needs its keys.
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
    if (searchesProgram(feed.topic)) this.#programFeeds.release(feed.openedBy);
    for (const { kind, of } of feed.topic.sources) {
      const feeds = this.#index[kind].get(of);
      feeds?.delete(feed);
      if (feeds?.size === 0) this.#index[kind].delete(of);
    }
  }
}

/** Creates the error for a subscription over the limit (Agave `RpcSolPubSubImpl::subscribe`). */
export function tooManySubscriptions(): RpcError {
  return new RpcError(
    INTERNAL_ERROR,
    'Internal Error: Subscription refused. Node subscription limit reached',
  );
}

/** A key of the index that finds topics by event. */
export interface Source {
  readonly kind:
    | 'account'
    | 'program'
    | 'mention'
    | 'signature'
    | 'transaction'
    | 'slot-ended'
    | 'slot-began';
  /** The address or signature; empty if the kind is enough. */
  readonly of: string;
}

/** Sources of topics about slots. */
export const SLOT_ENDED: Source = { kind: 'slot-ended', of: '' };
export const SLOT_BEGAN: Source = { kind: 'slot-began', of: '' };

/** A subscribable topic: a method with its parameters. */
export interface Topic {
  /** Identifies the method and its parameters. */
  readonly key: string;
  /** The method name of the notifications, for example `accountNotification`. */
  readonly notification: string;
  /** The index keys of all events that the topic reports. */
  readonly sources: readonly Source[];
  /** Whether a subscription ends after its first notification, because a signature lands only once. */
  readonly endsAfterFirst?: boolean;
  /** Whether all subscribers are notified, because the results reveal nothing private. */
  readonly isForAll?: boolean;
  /** Returns the results to send for an event, as JSON texts; empty if the event does not match. */
  results(event: FeedEvent, texts: AccountTexts): readonly string[];
  /** Returns a past event to report soon after the answer. */
  past?(): FeedEvent | null;
}

/** Whether a topic examines the changed accounts of a program. Each such topic does this separately. */
function searchesProgram({ sources }: Topic): boolean {
  return sources.some(({ kind }) => kind === 'program');
}

/** Adds the slot to `value` (JSON text). Contexts of notifications have no version. */
export function inSlot(slot: number, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}

/**
 * Returns the part of an event that the holder of `token` may see: all of it (the same object), a part (for
 * example fewer changes), or null if it must be hidden entirely. It is called synchronously and must not
 * throw.
 */
export type View = (event: LedgerEvent, token: string | null) => LedgerEvent | null;

/** One event as different subscribers see it. The view runs once per token. */
export class FilteredEvent {
  /** The complete event. */
  readonly whole: FeedEvent;
  readonly #view: View | undefined;
  readonly #byToken = new Map<string | null, FeedEvent | null>();

  constructor(event: FeedEvent, view: View | undefined) {
    this.whole = event;
    this.#view = view;
  }

  /** Returns the part of the event that `token` may see; null if it may see nothing. */
  as(token: string | null): FeedEvent | null {
    if (this.#view === undefined) return this.whole;
    let seen = this.#byToken.get(token);
    if (seen === undefined) this.#byToken.set(token, (seen = this.#look(this.#view, token)));
    return seen;
  }

  #look(view: View, token: string | null): FeedEvent | null {
    const event = this.whole;
    switch (event.kind) {
      case 'slot-began':
        return event;
      case 'slot-ended':
        // Filters on demand, because most subscribers to slots never read the block.
        return { ...event, block: () => withoutHidden(event.block(), view, token) };
      default:
        return view(event, token);
    }
  }
}

function withoutHidden(block: Block | null, view: View, token: string | null): Block | null {
  if (block === null) return null;
  const transactions: TransactionRecord[] = [];
  for (const record of block.transactions) {
    const seen = view({ kind: 'transaction', slot: record.slot, record, changes: [] }, token);
    if (seen?.kind === 'transaction') transactions.push(seen.record);
  }
  return { ...block, transactions };
}

/** The accounts that change with every slot. */
const SLOT_SYSVARS: readonly Address[] = [CLOCK_SYSVAR, SLOT_HASHES_SYSVAR, RECENT_BLOCKHASHES_SYSVAR];

/** Whether an account, or any account of a program, changes with each slot without an event. */
export function changesWithSlots(addressOrProgram: Address): boolean {
  return addressOrProgram === SYSVAR_OWNER || SLOT_SYSVARS.includes(addressOrProgram);
}

/** Returns the accounts changed by an event in their new state. Deleted accounts are {@link GONE}. */
export function changedAccounts(event: FeedEvent, ledger: AccountReads): (readonly [Address, Account])[] {
  switch (event.kind) {
    case 'transaction':
    case 'accounts':
      return event.changes.map(({ address, after }) => [address, after ?? GONE]);
    case 'slot-began':
      // The sysvars of past slots are not stored.
      if (!event.isPresent) return [];
      return SLOT_SYSVARS.map((address) => [address, ledger.getAccount(address) ?? GONE]);
    case 'slot-ended':
      return [];
  }
}
