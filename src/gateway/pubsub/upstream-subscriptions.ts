import { createHash } from 'node:crypto';
import { TIMEOUT_MS } from '../../chain/upstream/upstream.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { findMember } from '../../json/parse-json.ts';
import { JsonSyntaxError, readJson } from '../../json/read-json.ts';
import { type JsonObject, JsonText, type JsonValue, quote } from '../../json/write-json.ts';
import type { Clock } from '../../ports/clock.ts';
import { INTERNAL_ERROR, RpcError } from '../../rpc/errors.ts';
import { type Connection, TRY_AGAIN_LATER } from '../../rpc/pubsub/connection.ts';
import { type Feed, Feeds, type Source, type Subscriber, type Topic } from '../../rpc/pubsub/feeds.ts';
import type { PubSubLimits } from '../../rpc/pubsub/limits.ts';
import type { UrlKeys } from '../upstream-answer.ts';
import { Delivered, type Notice } from './delivered.ts';
import { GapReads } from './gap-reads.ts';
import { type SocketPorts, UpstreamSocket } from './upstream-socket.ts';

/** Options of {@link UpstreamSubscriptions}. */
export interface UpstreamOptions {
  /** The WebSocket URLs in the order in which they are tried. They may carry keys. */
  readonly urls: readonly URL[];
  /** The keys of all URLs of the upstream, which no client may see. */
  readonly keys: UrlKeys;
  /** Answers the body of a JSON-RPC call, to read what a lost connection missed. */
  readonly read: (body: string) => Promise<string>;
  readonly limits: PubSubLimits;
  readonly ports: SocketPorts & { readonly clock: Clock };
}

/** A subscription to the upstream, which all clients with the same method and parameters share. */
interface Subscription {
  readonly method: string;
  /** The parameters as canonical JSON. */
  readonly params: string;
  readonly delivered: Delivered;
  feed: Feed;
  /** Id of the subscription on the present connection, as JSON; undefined while it has none. */
  remote: string | undefined;
  /** Whether the answer of the upstream is awaited. */
  isRequested: boolean;
  /** Ids that were unsubscribed while the answer is awaited. They are of no use as an answer. */
  readonly ended: Set<string>;
  /** Whether an upstream has accepted the subscription, so that clients have its id. */
  isKnown: boolean;
  /** Calls of clients that wait for the answer. */
  readonly waiting: Set<(error?: RpcError) => void>;
}

/**
 * The subscriptions of all clients: one to the upstream for each method with its parameters. They survive the
 * loss of the upstream. A client is never notified of the same thing twice, nor of an older state.
 */
export class UpstreamSubscriptions {
  readonly #options: UpstreamOptions;
  readonly #socket: UpstreamSocket;
  readonly #feeds: Feeds;
  readonly #gaps: GapReads;
  readonly #byKey = new Map<string, Subscription>();
  /** Subscriptions by upstream id. An upstream can use one id for calls that mean the same. */
  readonly #byRemote = new Map<string, Set<Subscription>>();
  /** The subscriptions whose answer is awaited, by the id of the call. */
  readonly #requests = new Map<number, Subscription>();
  /** The methods of calls that were not answered in time, by id. */
  readonly #missed = new Map<number, string>();
  #lastId = 0;

  constructor(options: UpstreamOptions) {
    const { urls, limits, ports, read } = options;
    this.#options = options;
    this.#feeds = new Feeds(limits);
    this.#gaps = new GapReads({ ...ports, read });
    this.#socket = new UpstreamSocket(urls, ports, {
      onOpen: () => this.#resume(),
      onMessage: (data) => this.#receive(data),
      onUnreachable: () => this.#failWaiting(),
      isWanted: () => this.#byKey.size > 0,
    });
  }

  /** Number of subscriptions of all clients. */
  get count(): number {
    return this.#feeds.subscriptions;
  }

  /** Number of subscriptions to the upstream. */
  get size(): number {
    return this.#byKey.size;
  }

  /**
   * Subscribes a client and returns the id. Waits for the upstream if the subscription is new.
   *
   * @throws {RpcError} the error of the upstream; -32603 if it does not answer, or if all clients together
   *   have too many subscriptions.
   */
  async subscribe(connection: Connection, method: string, params: JsonValue): Promise<number> {
    const topic = topicOf(method, canonicalJson(params));
    const feed = connection.subscribe(topic);
    const subscription = this.#byKey.get(topic.key) ?? this.#open(topic, feed);
    subscription.feed = feed;
    if (!subscription.isKnown) await this.#answerOf(subscription, connection);
    return feed.id;
  }

  join(topic: Topic, subscriber: Subscriber): Feed {
    return this.#feeds.join(topic, subscriber);
  }

  leave(feed: Feed, subscriber: Subscriber): void {
    this.#feeds.leave(feed, subscriber);
    const subscription = this.#byKey.get(feed.topic.key);
    // A subscription whose answer is awaited has no id yet. It ends with its answer.
    if (feed.subscribers.size === 0 && subscription?.isRequested === false) this.#end(subscription);
  }

  close(): void {
    this.#socket.close();
  }

  #open({ key, method, params }: UpstreamTopic, feed: Feed): Subscription {
    const subscription: Subscription = {
      method,
      params,
      delivered: new Delivered(this.#options.ports.clock),
      feed,
      remote: undefined,
      isRequested: false,
      ended: new Set(),
      isKnown: false,
      waiting: new Set(),
    };
    this.#byKey.set(key, subscription);
    if (this.#socket.isOpen) this.#request(subscription);
    else this.#socket.connect();
    return subscription;
  }

  #answerOf({ waiting, feed }: Subscription, connection: Connection): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: RpcError): void => {
        callOff();
        waiting.delete(settle);
        if (error === undefined) return resolve();
        connection.unsubscribe(feed.id);
        reject(error);
      };
      const callOff = this.#options.ports.timer.after(TIMEOUT_MS, () => settle(noAnswer()));
      waiting.add(settle);
    });
  }

  #request(subscription: Subscription): void {
    const { method, params } = subscription;
    const id = ++this.#lastId;
    subscription.isRequested = true;
    subscription.ended.clear();
    this.#requests.set(id, subscription);
    this.#call(id, method, params);
    this.#options.ports.timer.after(TIMEOUT_MS, () => {
      if (this.#requests.has(id)) this.#missAnswer(id, subscription);
    });
  }

  #missAnswer(id: number, subscription: Subscription): void {
    // A subscription that clients have would be silent forever.
    if (subscription.isKnown) return this.#socket.drop();
    // One subscription that the upstream ignores must not end the others.
    this.#requests.delete(id);
    this.#missed.set(id, subscription.method);
    subscription.isRequested = false;
    for (const settle of subscription.waiting) settle(noAnswer());
    this.#end(subscription);
  }

  #call(id: number, method: string, params: string): void {
    this.#socket.send(`{"jsonrpc":"2.0","id":${id},"method":${quote(method)},"params":${params}}`);
  }

  /** Subscribes to everything on a new connection. */
  #resume(): void {
    this.#byRemote.clear();
    this.#requests.clear();
    this.#missed.clear();
    for (const subscription of this.#byKey.values()) {
      subscription.remote = undefined;
      subscription.isRequested = false;
      if (subscription.feed.subscribers.size === 0) this.#end(subscription);
      else this.#request(subscription);
    }
  }

  #failWaiting(): void {
    for (const { waiting } of this.#byKey.values()) for (const settle of waiting) settle(unreachable());
  }

  #end(subscription: Subscription): void {
    const { feed, remote, method } = subscription;
    this.#byKey.delete(feed.topic.key);
    if (remote === undefined) return;
    const sharing = this.#byRemote.get(remote);
    sharing?.delete(subscription);
    if (sharing?.size !== 0) return;
    this.#byRemote.delete(remote);
    this.#unsubscribe(method, remote);
  }

  #unsubscribe(method: string, remote: string): void {
    for (const { ended } of this.#requests.values()) ended.add(remote);
    this.#call(++this.#lastId, method.replace(/Subscribe$/, 'Unsubscribe'), `[${remote}]`);
  }

  #receive(data: Buffer): void {
    const text = data.toString();
    const message = tryReadJson(text);
    if (!(message instanceof Map)) return;
    const hasKey = this.#options.keys.areIn(data);
    if (hasKey)
      this.#options.ports.logger.warn({}, 'upstream WebSocket sent a key of its URL: not forwarded');
    if (!message.has('method')) this.#accept(message, text, hasKey);
    else if (!hasKey) this.#notify(message, text);
  }

  /** Handles the answer to a subscription. */
  #accept(answer: JsonObject, text: string, hasKey: boolean): void {
    const id = Number(answer.get('id'));
    const subscription = this.#requests.get(id);
    const result = answer.get('result');
    if (subscription === undefined) return this.#acceptLate(id, result);
    this.#requests.delete(id);
    subscription.isRequested = false;
    if (hasKey) this.#refuse(subscription, unusable());
    else if (typeof result !== 'bigint' && typeof result !== 'string') {
      this.#refuse(subscription, errorOf(answer, text));
    } else this.#start(subscription, canonicalJson(result));
  }

  /** Ends a subscription that was accepted too late. Answers to unsubscriptions have no consequence. */
  #acceptLate(id: number, result: JsonValue | undefined): void {
    const method = this.#missed.get(id);
    this.#missed.delete(id);
    if (method === undefined || (typeof result !== 'bigint' && typeof result !== 'string')) return;
    const remote = canonicalJson(result);
    if (!this.#byRemote.has(remote)) this.#unsubscribe(method, remote);
  }

  #start(subscription: Subscription, remote: string): void {
    // A node gives calls with the same meaning one id, which the unsubscription has ended for both.
    const isEnded = subscription.ended.has(remote) && subscription.feed.subscribers.size > 0;
    if (isEnded) return this.#request(subscription);
    subscription.remote = remote;
    const sharing = this.#byRemote.get(remote);
    if (sharing === undefined) this.#byRemote.set(remote, new Set([subscription]));
    else sharing.add(subscription);
    if (subscription.feed.subscribers.size === 0) this.#end(subscription);
    else if (subscription.isKnown) this.#fill(subscription, remote);
    subscription.isKnown = true;
    for (const settle of subscription.waiting) settle();
  }

  #fill(subscription: Subscription, remote: string): void {
    const { method, params, delivered } = subscription;
    delivered.resume();
    this.#gaps.readLater({
      method,
      params,
      slot: delivered.slotOf(''),
      hasReported: delivered.has(''),
      isOpen: () =>
        subscription.remote === remote && this.#byKey.get(subscription.feed.topic.key) === subscription,
      onRead: (result) => this.#deliver(subscription, result),
    });
  }

  #refuse(subscription: Subscription, error: RpcError): void {
    for (const settle of subscription.waiting) settle(error);
    const { feed, method } = subscription;
    if (feed.subscribers.size > 0) {
      this.#options.ports.logger.warn(
        { method, code: error.code },
        'upstream no longer accepts a subscription',
      );
    }
    // JSON-RPC cannot tell a client that its subscription has ended. The client gets the error at its next
    // try.
    for (const subscriber of feed.subscribers) subscriber.close(TRY_AGAIN_LATER);
    this.#end(subscription);
  }

  #notify(message: JsonObject, text: string): void {
    const params = message.get('params');
    if (!(params instanceof Map)) return;
    const remote = canonicalJson((params as JsonObject).get('subscription') ?? null);
    const result = findMember(findMember(text, 'params') as string, 'result');
    if (result === undefined) return;
    for (const subscription of this.#byRemote.get(remote) ?? []) this.#deliver(subscription, result);
  }

  #deliver({ feed, method, delivered }: Subscription, result: string): void {
    const value = tryReadJson(result) ?? null;
    if (!delivered.take(noticeOf(value))) return;
    const { id, topic } = feed;
    const message = Buffer.from(
      `{"jsonrpc":"2.0","method":"${topic.notification}","params":{"result":${result},"subscription":${id}}}`,
    );
    const isLast = method === 'signatureSubscribe' && valueOf(value) !== 'receivedSignature';
    for (const subscriber of feed.subscribers) {
      subscriber.notify(message, id);
      if (isLast) subscriber.unsubscribe(id);
    }
  }
}

interface UpstreamTopic extends Topic {
  readonly method: string;
  readonly params: string;
}

/** Subscriptions to programs have a separate limit. */
const OF_PROGRAM: Source = { kind: 'program', of: '' };

function topicOf(method: string, params: string): UpstreamTopic {
  return {
    key: `${method} ${params}`,
    method,
    params,
    notification: method.replace(/Subscribe$/, 'Notification'),
    sources: method === 'programSubscribe' ? [OF_PROGRAM] : [],
    // The upstream writes the results.
    results: () => [],
  };
}

function tryReadJson(text: string): JsonValue | undefined {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const membersOf = (value: JsonValue | undefined): JsonObject =>
  value instanceof Map ? (value as JsonObject) : new Map();

const valueOf = (result: JsonValue): JsonValue => membersOf(result).get('value') ?? result;

/** Describes the result of a notification: `{context, value}`, a slot with its parents, or a number. */
function noticeOf(result: JsonValue): Notice {
  const value = valueOf(result);
  const { pubkey, signature, type, slot } = Object.fromEntries(membersOf(value));
  const contextSlot = membersOf(membersOf(result).get('context')).get('slot');
  const content = createHash('sha256').update(canonicalJson(value)).digest('base64');
  return {
    // Program notifications are about an account, and logs and votes about a transaction. The stages of slots
    // may arrive in any order.
    subject: type === undefined ? String(pubkey ?? signature ?? '') : content,
    slot: Number(contextSlot ?? slot ?? (typeof value === 'bigint' ? value : 0)),
    content,
  };
}

/** Returns the error of an upstream, or one for an answer that is neither a result nor an error. */
function errorOf(answer: JsonObject, text: string): RpcError {
  const error = membersOf(answer.get('error'));
  const [code, message] = [error.get('code'), error.get('message')];
  if (typeof code !== 'bigint' || typeof message !== 'string') return unusable();
  const data = findMember(findMember(text, 'error') as string, 'data');
  return new RpcError(Number(code), message, data === undefined ? undefined : new JsonText(data));
}

const noAnswer = (): RpcError => upstreamError('UPSTREAM_TIMEOUT', 'did not answer the subscription in time');

const unusable = (): RpcError =>
  upstreamError('UPSTREAM_INVALID', 'answered the subscription in an unknown format');

const unreachable = (): RpcError =>
  upstreamError('UPSTREAM_UNAVAILABLE', 'currently accepts no WebSocket connections');

const upstreamError = (reason: string, words: string): RpcError =>
  new RpcError(INTERNAL_ERROR, `Internal error: the upstream ${words}; try again`, { reason });
