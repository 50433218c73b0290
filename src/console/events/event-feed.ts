import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import { endWithServer } from '../../http/endless.ts';
import type { Timer } from '../../ports/timer.ts';
import { refuseWith, type ApiRoute } from '../api-route.ts';
import type { ConsoleEvent } from './event-sources.ts';

/** The limits of the feed. */
const FEED_LIMITS = {
  /** Streams at a time; further ones are told to come back. */
  streamsMax: 64,
  /** Events that are kept for those who come back. */
  eventsMax: 1_000,
  /** How often a stream without events shows that it is alive, ms. */
  heartbeatMs: 15_000,
  /** Bytes that a client has not taken; it gets nothing more until it has. */
  queuedBytesMax: 256 * 1024,
} as const;

type FeedLimits = { readonly [Name in keyof typeof FEED_LIMITS]: number };

/** How to create an {@link EventFeed}. */
interface EventFeedOptions {
  /** What the ids of this run begin with, so that those of an earlier one are not taken for its own. */
  readonly run: string;
  readonly timer: Timer;
  readonly limits?: Partial<FeedLimits>;
}

/**
 * Tells events to every client (Server-Sent Events, HTML standard). A client that comes back gets what it has
 * missed, or `reset` where that is not known any more: it then reads everything anew.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #limits: FeedLimits;
  readonly #streams = new Set<EventStream>();
  /** The last events; the number of the newest is `#lastId`. They are written for those who listen. */
  #kept: ConsoleEvent[] = [];
  #lastId = 0;
  #callOff: (() => void) | undefined;
  #isClosed = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#limits = { ...FEED_LIMITS, ...options.limits };
  }

  /** Whether anybody listens. */
  get hasListeners(): boolean {
    return this.#streams.size > 0;
  }

  /** Whether there is room for another client. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#streams.size < this.#limits.streamsMax;
  }

  /** Tells everybody. What it is told of must not change afterwards. */
  tell(event: ConsoleEvent): void {
    this.#lastId += 1;
    this.#kept.push(event);
    if (this.#kept.length > this.#limits.eventsMax) this.#kept.shift();
    if (this.#streams.size === 0) return;
    const text = this.#textOf(event, this.#lastId);
    for (const stream of this.#streams) stream.send(text);
  }

  /** Streams to a client whose head has been written. `lastId` is what it says it had last, if anything. */
  open(response: ServerResponse, lastId: string | undefined): void {
    const stream = new EventStream(response, this.#limits.queuedBytesMax, () => this.#resetText());
    this.#streams.add(stream);
    response.once('close', () => this.#drop(stream));
    // Whatever follows has a later id; before the first event, a client that comes back has missed them all.
    stream.send(`retry: 1000\nid: ${this.#idOf(this.#lastId)}\nevent: hello\ndata: {}\n\n`);
    for (const text of this.#missed(lastId)) stream.send(text);
    this.#callOff ??= this.#beatLater();
  }

  /** Ends all streams, and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.#callOff?.();
    this.#callOff = undefined;
    for (const stream of this.#streams) stream.end();
  }

  #missed(lastId: string | undefined): readonly string[] {
    if (lastId === undefined) return [];
    const [run, number = ''] = lastId.split('.');
    const count = this.#lastId - Number(number);
    const isKnown = run === this.#options.run && /^\d{1,15}$/.test(number) && count >= 0;
    if (!isKnown || count > this.#kept.length) return [this.#resetText()];
    const missed = count === 0 ? [] : this.#kept.slice(-count);
    return missed.map((event, at) => this.#textOf(event, this.#lastId - count + 1 + at));
  }

  #textOf({ kind, data }: ConsoleEvent, number: number): string {
    return `id: ${this.#idOf(number)}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  #resetText(): string {
    return `id: ${this.#idOf(this.#lastId)}\nevent: reset\ndata: {}\n\n`;
  }

  #idOf(number: number): string {
    return `${this.#options.run}.${number}`;
  }

  #drop(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #beatLater(): () => void {
    return this.#options.timer.after(this.#limits.heartbeatMs, () => {
      this.#callOff = this.#beatLater();
      for (const stream of this.#streams) stream.beat();
    });
  }
}

/** What shows that a stream is alive: a comment, which clients pass over. */
const HEARTBEAT = ': heartbeat\n\n';

/**
 * One client of a feed. Of one that does not read, no more than a bounded number of bytes is kept; it gets
 * nothing until it has taken them, and then hears that it has missed something. One that takes nothing from
 * one heartbeat to the next is cut off.
 */
class EventStream {
  readonly #response: ServerResponse;
  readonly #queuedBytesMax: number;
  readonly #resetText: () => string;
  #hasMissed = false;
  /** Bytes that waited at the last heartbeat, while something has been missed. */
  #stalledBytes: number | null = null;

  /** @param resetText what a client is told that has missed events. */
  constructor(response: ServerResponse, queuedBytesMax: number, resetText: () => string) {
    this.#response = response;
    this.#queuedBytesMax = queuedBytesMax;
    this.#resetText = resetText;
    response.on('drain', () => this.#catchUp());
  }

  send(text: string): void {
    if (this.#hasMissed || this.#response.writableLength > this.#queuedBytesMax) this.#hasMissed = true;
    else this.#response.write(text);
  }

  beat(): void {
    if (!this.#hasMissed) return this.send(HEARTBEAT);
    const waiting = this.#response.writableLength;
    if (waiting === this.#stalledBytes) this.#response.destroy();
    this.#stalledBytes = waiting;
  }

  end(): void {
    this.#response.end();
  }

  #catchUp(): void {
    if (!this.#hasMissed) return;
    this.#hasMissed = false;
    this.#stalledBytes = null;
    this.#response.write(this.#resetText());
  }
}

const HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // Of nginx: events are passed on as they come.
  'x-accel-buffering': 'no',
} as const;

/** `GET /console/api/events`: what happens, as Server-Sent Events. */
export function createEventsRoute(feed: EventFeed): ApiRoute {
  return {
    path: '/console/api/events',
    method: 'GET',
    serve(context, response) {
      if (!feed.hasRoom) return refuseWith(context, noRoom());
      response.writeHead(200, HEAD);
      if (context.request.method === 'HEAD') return void response.end();
      endWithServer(response);
      const lastId = context.headers['last-event-id'];
      return feed.open(response, typeof lastId === 'string' ? lastId : undefined);
    },
  };
}

const noRoom = (): ServiceError =>
  new ServiceError('SERVICE_BUSY', 'There are no more streams to be had: close one, and come back');
