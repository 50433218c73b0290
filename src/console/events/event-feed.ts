import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import { endWithServer } from '../../http/delivery.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { Timer } from '../../ports/timer.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Health, LoggedCall } from '../answers.ts';
import { type ApiRoute, refuseWith } from '../api-route.ts';

/** What the page is told of as it happens; everybody may know of it. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly data: LoggedCall }
  | { readonly kind: 'settlement'; readonly data: Settlement }
  | { readonly kind: 'state'; readonly data: { readonly health: Health } };

/** What base shows of a settlement. */
interface Settlement {
  readonly mint: Address;
  /** Of the transaction on base, base58. */
  readonly signature: string;
  readonly slot: number;
  /** `committed`: base was told a balance, and the eATA stays delegated. `settled`: it was given back. */
  readonly state: 'committed' | 'settled';
}

/** Hears of what happens on base, and tells of settlements, one for each mint and state. */
export function tellSettlements(tell: (settlement: Settlement) => void): LedgerListener {
  return (event) => {
    if (event.kind !== 'transaction') return;
    const { slot, record, changes } = event;
    const told = new Set<string>();
    for (const change of changes) {
      const settled = settledBy(change);
      if (settled === null || told.has(`${settled.mint} ${settled.state}`)) continue;
      told.add(`${settled.mint} ${settled.state}`);
      tell({ ...settled, signature: record.signature, slot });
    }
  };
}

function settledBy({ address, before, after }: AccountChange): Pick<Settlement, 'mint' | 'state'> | null {
  // What is delegated belongs to the delegation program, which gives it back to its own.
  if (before?.owner !== DELEGATION_PROGRAM || after === null) return null;
  const isBack = after.owner === EPHEMERAL_TOKEN_PROGRAM;
  if (!isBack && (after.owner !== DELEGATION_PROGRAM || isSame(before.data, after.data))) return null;
  const eata = decodeEata(after.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  return { mint: eata.mint, state: isBack ? 'settled' : 'committed' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** How often the ledgers are asked while anybody listens, ms. */
const LOOK_MS = 2_000;

/** What is watched, and for whom. */
interface HealthWatch {
  readonly read: () => Promise<Health>;
  /** Whether anybody listens. */
  readonly isWanted: () => boolean;
  readonly timer: Timer;
  /** Called when it is not as it was when it was looked at last. */
  readonly tell: (health: Health) => void;
}

/** Watches whether requests may come, until the function that is answered is called. */
export function watchHealth({ read, isWanted, timer, tell }: HealthWatch): () => void {
  let last: string | undefined;
  let callOff: () => void;
  const look = async (): Promise<void> => {
    const health = await read();
    const text = JSON.stringify(health);
    if (last !== undefined && text !== last) tell(health);
    last = text;
  };
  const again = (): void => {
    callOff = timer.after(LOOK_MS, () => {
      again();
      if (!isWanted()) last = undefined;
      // Whoever asks for the state hears of the fault.
      else look().catch(() => {});
    });
  };
  again();
  return () => callOff();
}

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
