import type { RawData, WebSocket } from 'ws';
import { workTogether } from '../../http/turn.ts';
import { findUtf8Fault } from '../../json/utf8-fault.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { FanOut } from './fan-out.ts';
import { type Feed, type Feeds, type Subscriber, tooManySubscriptions, type Topic } from './feeds.ts';
import type { PubSubLimits } from './limits.ts';

/** Close codes of RFC 6455 section 7.4.1 and its registry (1013, "Try Again Later"). */
export const GOING_AWAY = 1001;
const NOT_UTF8 = 1007;
export const TRY_AGAIN_LATER = 1013;

export interface ConnectionOptions {
  readonly feeds: Pick<Feeds, 'join' | 'leave'>;
  readonly fanOut: Pick<FanOut, 'publishPast'>;
  readonly timer: Timer;
  readonly limits: PubSubLimits;
  /** The client's token; null if it sent none. Must not be logged. */
  readonly token: string | null;
  /** The key of the client (`clientOf`). */
  readonly address: string;
  /** Callback for a subscription that is added or removed. */
  readonly onSubscriptions: () => void;
  /** Callback for a client that is disconnected because it reads too slowly. */
  readonly onTooSlow: () => void;
  /** Creates the dispatcher for the connection's calls. */
  readonly dispatcherFor: (connection: Connection) => Dispatcher;
}

const TEXT = { binary: false, compress: false, fin: true } as const;

/** A client's connection. Answers its calls in order and sends its notifications. */
export class Connection implements Subscriber {
  readonly token: string | null;
  readonly address: string;
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #dispatch: Dispatcher;
  readonly #subscriptions = new Map<number, Feed>();
  /** Resolves when all calls so far are answered. */
  #answered: Promise<void> = Promise.resolve();
  /** The feeds that the current call has joined. */
  readonly #joined: number[] = [];
  /** Notifications of feeds whose ids the client does not know yet, by id. */
  readonly #held = new Map<number, Buffer[]>();
  #heldBytes = 0;
  /** Number of calls that are not answered yet. */
  #waiting = 0;
  #isOpen = true;
  #isAlive = true;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.token = options.token;
    this.address = options.address;
    this.#dispatch = options.dispatcherFor(this);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
    socket.on('ping', () => (this.#isAlive = true));
    // After a protocol error or an overlong message, ws has already closed the connection.
    socket.on('error', () => {});
    socket.on('close', () => this.#end());
  }

  /**
   * Subscribes the client.
   *
   * @throws {RpcError} -32603 if all clients together have too many subscriptions.
   */
  subscribe(topic: Topic): Feed {
    const { feeds, onSubscriptions } = this.#options;
    // The connection may have ended while its calls are still being answered.
    if (!this.#isOpen) throw tooManySubscriptions();
    const feed = feeds.join(topic, this);
    this.#subscriptions.set(feed.id, feed);
    this.#joined.push(feed.id);
    if (!this.#held.has(feed.id)) this.#held.set(feed.id, []);
    onSubscriptions();
    if (topic.past !== undefined) this.#notifyPastLater(feed);
    return feed;
  }

  unsubscribe(id: number): boolean {
    const feed = this.#subscriptions.get(id);
    if (feed === undefined) return false;
    this.#subscriptions.delete(id);
    this.#options.feeds.leave(feed, this);
    this.#options.onSubscriptions();
    return true;
  }

  notify(message: Buffer, id: number): void {
    const held = this.#held.get(id);
    if (held === undefined) return this.#send(message);
    held.push(message);
    this.#heldBytes += message.length;
    if (this.#heldBytes > this.#options.limits.queuedBytesMax) this.#closeSlow();
  }

  /** Pings the client, or disconnects it if it did not answer the previous ping. */
  probe(): void {
    if (!this.#isAlive) this.#socket.terminate();
    else if (this.#isOpen) this.#socket.ping();
    this.#isAlive = false;
  }

  /** Closes the connection, and terminates it if the client does not answer in time. */
  close(code: number): void {
    // Nothing may be sent after the close frame.
    this.#end();
    this.#socket.close(code);
    const { timer, limits } = this.#options;
    const callOff = timer.after(limits.closeTimeoutMs, () => this.#socket.terminate());
    this.#socket.once('close', callOff);
  }

  #notifyPastLater(feed: Feed): void {
    const { fanOut, limits, timer } = this.#options;
    timer.after(limits.pastDelayMs, () => {
      // In the meantime, the client may have unsubscribed or been notified.
      if (this.#subscriptions.has(feed.id)) fanOut.publishPast(feed, this);
    });
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#isAlive = true;
    const bytes = data as Buffer;
    // Agave also accepts calls in binary messages, and disconnects if they are not UTF-8.
    if (isBinary && findUtf8Fault(bytes) !== undefined) return this.close(NOT_UTF8);
    // Answering one call at a time keeps the answers in the order of the calls.
    this.#answered = this.#answered.then(() => this.#answerInTurn(bytes.toString()));
    // While the socket is paused, the client keeps its unsent messages.
    if (++this.#waiting >= this.#options.limits.waitingCallsMax) this.#socket.pause();
  }

  #readOn(): void {
    // No pong can arrive while the socket is paused.
    this.#isAlive = true;
    this.#waiting -= 1;
    if (this.#waiting * 2 <= this.#options.limits.waitingCallsMax) this.#socket.resume();
  }

  #answerInTurn(call: string): Promise<void> {
    return new Promise((resolve) => {
      workTogether(this.address, () => resolve(this.#answer(call).finally(() => this.#readOn())));
    });
  }

  /** Answers a call. Notifications of its feeds wait, because the answer contains the subscription ids. */
  async #answer(call: string): Promise<void> {
    if (!this.#isOpen) return;
    const answer = await this.#dispatch(call);
    if (answer !== '') this.#send(answer);
    const { timer, limits } = this.#options;
    for (const id of this.#joined.splice(0)) {
      if (this.#held.get(id)?.length === 0) this.#held.delete(id);
      else timer.after(limits.pastDelayMs, () => this.#release(id));
    }
  }

  #release(id: number): void {
    const held = this.#held.get(id) ?? [];
    this.#held.delete(id);
    for (const message of held) {
      this.#heldBytes -= message.length;
      this.#send(message);
    }
  }

  #send(message: Buffer | string): void {
    if (!this.#isOpen) return;
    if (this.#socket.bufferedAmount > this.#options.limits.queuedBytesMax) this.#closeSlow();
    else this.#socket.send(message, TEXT);
  }

  /** Disconnects a slow client, to avoid unlimited buffers and silently lost messages. */
  #closeSlow(): void {
    this.#options.onTooSlow();
    this.close(TRY_AGAIN_LATER);
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const feed of this.#subscriptions.values()) this.#options.feeds.leave(feed, this);
    this.#subscriptions.clear();
    this.#held.clear();
    this.#options.onSubscriptions();
  }
}
