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

/** A public event for the page. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly data: LoggedCall }
  | { readonly kind: 'settlement'; readonly data: Settlement }
  | { readonly kind: 'state'; readonly data: { readonly health: Health } };

/** A settlement as base shows it. */
interface Settlement {
  readonly mint: Address;
  /** Of the transaction on base, base58. */
  readonly signature: string;
  readonly slot: number;
  /**
   * `committed`: a balance was committed and the eATA stays delegated. `settled`: the eATA was undelegated.
   */
  readonly state: 'committed' | 'settled';
}

/** Creates a listener on base that reports settlements, once per transaction, mint and state. */
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
  // A delegated account belongs to the delegation program until it is undelegated.
  if (before?.owner !== DELEGATION_PROGRAM || after === null) return null;
  const isBack = after.owner === EPHEMERAL_TOKEN_PROGRAM;
  if (!isBack && (after.owner !== DELEGATION_PROGRAM || isSame(before.data, after.data))) return null;
  const eata = decodeEata(after.data);
  if (eata === null || deriveEata(eata.owner, eata.mint).address !== address) return null;
  return { mint: eata.mint, state: isBack ? 'settled' : 'committed' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Interval of health checks while there are listeners, ms. */
const LOOK_MS = 2_000;

interface HealthWatch {
  readonly read: () => Promise<Health>;
  /** Whether anybody listens. */
  readonly isWanted: () => boolean;
  readonly timer: Timer;
  /** Called if the health has changed since the last check. */
  readonly tell: (health: Health) => void;
}

/** Watches the health of the ledgers until the returned function is called. */
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
      // A request for the state reports the error.
      else look().catch(() => {});
    });
  };
  again();
  return () => callOff();
}

/** The limits of the feed. */
const FEED_LIMITS = {
  /** Maximum number of streams. Further ones are rejected. */
  streamsMax: 64,
  /** Number of events stored for clients that reconnect. */
  eventsMax: 1_000,
  /** Interval of heartbeats, ms. */
  heartbeatMs: 15_000,
  /** Maximum unread bytes of a client. It gets no further events until it has read them. */
  queuedBytesMax: 256 * 1024,
} as const;

type FeedLimits = { readonly [Name in keyof typeof FEED_LIMITS]: number };

interface EventFeedOptions {
  /** Prefix of the event ids of this run, to tell them from ids of an earlier run. */
  readonly run: string;
  readonly timer: Timer;
  readonly limits?: Partial<FeedLimits>;
}

/**
 * Sends events to every client (Server-Sent Events, HTML standard). A client that reconnects gets the events
 * it missed, or `reset` if they are no longer stored. It then reads everything again.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #limits: FeedLimits;
  readonly #streams = new Set<EventStream>();
  /** The last events. The newest has the number `#lastId`. */
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

  /** Sends an event to all clients. It must not change afterwards. */
  tell(event: ConsoleEvent): void {
    this.#lastId += 1;
    this.#kept.push(event);
    if (this.#kept.length > this.#limits.eventsMax) this.#kept.shift();
    if (this.#streams.size === 0) return;
    const text = this.#textOf(event, this.#lastId);
    for (const stream of this.#streams) stream.send(text);
  }

  /**
   * Starts a stream whose head has been written. `lastId` is the last event id that the client has, if any.
   */
  open(response: ServerResponse, lastId: string | undefined): void {
    const stream = new EventStream(response, this.#limits.queuedBytesMax, () => this.#resetText());
    this.#streams.add(stream);
    response.once('close', () => this.#drop(stream));
    // A client that disconnects before the first event reconnects with this id.
    stream.send(`retry: 1000\nid: ${this.#idOf(this.#lastId)}\nevent: hello\ndata: {}\n\n`);
    for (const text of this.#missed(lastId)) stream.send(text);
    this.#callOff ??= this.#beatLater();
  }

  /** Ends all streams and accepts no more. */
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

/** A comment, which clients ignore. */
const HEARTBEAT = ': heartbeat\n\n';

/**
 * One client of a feed. The bytes queued for a client that does not read are bounded. It then gets nothing
 * until it has read them, and a `reset`. A client that reads nothing between two heartbeats is disconnected.
 */
class EventStream {
  readonly #response: ServerResponse;
  readonly #queuedBytesMax: number;
  readonly #resetText: () => string;
  #hasMissed = false;
  /** Bytes queued at the last heartbeat; null unless the client misses events. */
  #stalledBytes: number | null = null;

  /** @param resetText event for a client that has missed events. */
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
  // For nginx: do not buffer events.
  'x-accel-buffering': 'no',
} as const;

/** Creates `GET /console/api/events`: events as Server-Sent Events. */
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
  new ServiceError('SERVICE_BUSY', 'Too many event streams are open: close one, and try again');
