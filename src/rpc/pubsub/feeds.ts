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

/** A slot has ended: everything that landed in it is durable and was published. */
export interface SlotEnded {
  readonly kind: 'slot-ended';
  readonly slot: number;
  /** Reads the block of the slot; null if the ledger has dropped it already. */
  readonly block: () => Block | null;
  /** When this was noticed, Unix ms. */
  readonly unixMs: number;
}

/** The ledger has reached a slot. */
export interface SlotBegan {
  readonly kind: 'slot-began';
  readonly slot: number;
  readonly parentSlot: number;
  /** Whether it is still the ledger's current slot: the sysvars of past slots are not available. */
  readonly isPresent: boolean;
  /** When this was noticed, Unix ms. */
  readonly unixMs: number;
}

/** Everything subscribers can be notified of. */
export type FeedEvent = LedgerEvent | SlotEnded | SlotBegan;

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
  /** The client that opened it. It counts towards this client's share until it closes. */
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

  /** Ends a subscription. A feed without subscribers is dropped, and its id is never reused. */
  leave({ topic }: Feed, subscriber: Subscriber): void {
    const feed = this.#byKey.get(topic.key);
    if (feed === undefined || !feed.subscribers.delete(subscriber)) return;
    this.#subscriptions.release(subscriber.address);
    if (feed.subscribers.size === 0) this.#close(feed);
  }

  /** The feeds that an event may concern. No others are examined. */
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
      // By the new owner: an account that leaves a program is not reported to that program's subscribers.
      find('program', (after ?? GONE).owner);
    }
    if (event.kind === 'transaction') {
      const { record } = event;
      find('transaction', '');
      // The transaction is decoded only if a topic needs its keys.
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

/** The answer to a subscription over the limit (Agave `RpcSolPubSubImpl::subscribe`). */
export function tooManySubscriptions(): RpcError {
  return new RpcError(
    INTERNAL_ERROR,
    'Internal Error: Subscription refused. Node subscription limit reached',
  );
}

/** An index key under which topics are found for an event. */
export interface Source {
  readonly kind:
    | 'account'
    | 'program'
    | 'mention'
    | 'signature'
    | 'transaction'
    | 'slot-ended'
    | 'slot-began';
  /** The address or signature; empty if the kind alone is enough. */
  readonly of: string;
}

/** Slots that end, and slots that begin. */
export const SLOT_ENDED: Source = { kind: 'slot-ended', of: '' };
export const SLOT_BEGAN: Source = { kind: 'slot-began', of: '' };

/** What can be subscribed to: a method with its parameters. */
export interface Topic {
  /** Equal exactly for equal parameters. */
  readonly key: string;
  /** The method name of its notifications, e.g. `accountNotification`. */
  readonly notification: string;
  /** Every event it reports is found under one of these. */
  readonly sources: readonly Source[];
  /** Whether a subscription ends after its first notification (a signature lands once). */
  readonly endsAfterFirst?: boolean;
  /** Whether everyone is notified, because its results reveal nothing private. */
  readonly isForAll?: boolean;
  /** The results of its notifications for an event, as JSON text; empty if it does not apply. */
  results(event: FeedEvent, texts: AccountTexts): readonly string[];
  /** A past event to report soon after the answer. */
  past?(): FeedEvent | null;
}

/** Whether a topic examines the accounts of a program, which each topic does separately. */
function searchesProgram({ sources }: Topic): boolean {
  return sources.some(({ kind }) => kind === 'program');
}

/** JSON of `value` (JSON text) with its slot. Contexts of notifications have no version. */
export function inSlot(slot: number, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}

/**
 * Returns the part of an event that the holder of `token` may see: all of it (the same object), a part (for
 * example fewer changes), or null if it must be hidden entirely. Called synchronously; must not throw.
 */
export type View = (event: LedgerEvent, token: string | null) => LedgerEvent | null;

/** One event as different subscribers may see it. The view is evaluated once per token. */
export class FilteredEvent {
  /** The complete event. */
  readonly whole: FeedEvent;
  readonly #view: View | undefined;
  readonly #byToken = new Map<string | null, FeedEvent | null>();

  constructor(event: FeedEvent, view: View | undefined) {
    this.whole = event;
    this.#view = view;
  }

  /** Returns the part of the event that `token` may see; null for nothing. */
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
        // Filtered on demand, since most subscribers to slots never read the block.
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

/** Whether an account, or an account of a program, changes at the start of a slot without an event. */
export function changesWithSlots(addressOrProgram: Address): boolean {
  return addressOrProgram === SYSVAR_OWNER || SLOT_SYSVARS.includes(addressOrProgram);
}

/** The accounts an event changed, in their new state; deleted ones are {@link GONE}. */
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
