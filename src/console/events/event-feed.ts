import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import { endWithServer } from '../../http/delivery.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { Timer } from '../../ports/timer.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { LoggedCall } from '../answers.ts';
import { type ApiRoute, refuseWith } from '../api-route.ts';

/** A public event for the page. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly data: LoggedCall }
  | { readonly kind: 'settlement'; readonly data: Settlement };

/** A settlement on base. */
interface Settlement {
  readonly mint: Address;
  /** Signature of the transaction on base, base58. */
  readonly signature: string;
  readonly slot: number;
  /** `committed` if the eATA stays delegated, `settled` if it was undelegated. */
  readonly state: 'committed' | 'settled';
}

/** Creates a listener for base that reports each settlement once per transaction, mint and state. */
export function reportSettlements(report: (settlement: Settlement) => void): LedgerListener {
  return (event) => {
    if (event.kind !== 'transaction') return;
    const { slot, record, changes } = event;
    const reported = new Set<string>();
    for (const change of changes) {
      const settled = settledBy(change);
      if (settled === null || reported.has(`${settled.mint} ${settled.state}`)) continue;
      reported.add(`${settled.mint} ${settled.state}`);
      report({ ...settled, signature: record.signature, slot });
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

const FEED_LIMITS = {
  /** Maximum number of streams. Further streams are rejected. */
  streamsMax: 64,
  /** Interval of heartbeats, in ms. */
  heartbeatMs: 15_000,
  /** Maximum unread bytes of a client. Clients that exceed it are disconnected. */
  queuedBytesMax: 256 * 1024,
} as const;

type FeedLimits = { readonly [Name in keyof typeof FEED_LIMITS]: number };

/** A comment, which clients ignore. */
const HEARTBEAT = ': heartbeat\n\n';

/**
 * Sends events to every client (Server-Sent Events, HTML standard). Events are not stored. A client that
 * reconnects gets `reset` and reads everything again.
 */
export class EventFeed {
  readonly #timer: Timer;
  readonly #limits: FeedLimits;
  readonly #streams = new Set<ServerResponse>();
  #callOff: (() => void) | undefined;
  #isClosed = false;

  constructor(timer: Timer, limits: Partial<FeedLimits> = {}) {
    this.#timer = timer;
    this.#limits = { ...FEED_LIMITS, ...limits };
  }

  /** Whether there is room for another client. */
  get hasRoom(): boolean {
    return !this.#isClosed && this.#streams.size < this.#limits.streamsMax;
  }

  /** Sends an event to all clients. */
  send({ kind, data }: ConsoleEvent): void {
    this.#write(textOf(kind, data));
  }

  /** Starts a stream whose head has been written. `isBack` means that the client has reconnected. */
  open(response: ServerResponse, isBack: boolean): void {
    this.#streams.add(response);
    response.once('close', () => this.#drop(response));
    // Browsers send the id back when they reconnect.
    response.write(`retry: 1000\nid: 1\n${textOf('hello', {})}${isBack ? textOf('reset', {}) : ''}`);
    this.#callOff ??= this.#beatLater();
  }

  /** Ends all streams and accepts no more. */
  close(): void {
    this.#isClosed = true;
    this.#callOff?.();
    this.#callOff = undefined;
    for (const response of this.#streams) response.end();
  }

  #write(text: string): void {
    for (const response of this.#streams) {
      if (response.writableLength > this.#limits.queuedBytesMax) response.destroy();
      else response.write(text);
    }
  }

  #drop(response: ServerResponse): void {
    this.#streams.delete(response);
    if (this.#streams.size > 0) return;
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #beatLater(): () => void {
    return this.#timer.after(this.#limits.heartbeatMs, () => {
      this.#callOff = this.#beatLater();
      this.#write(HEARTBEAT);
    });
  }
}

const textOf = (kind: string, data: object): string => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

const HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // Prevents nginx from buffering events.
  'x-accel-buffering': 'no',
} as const;

/** Creates the route `GET /console/api/events`, which sends Server-Sent Events. */
export function createEventsRoute(feed: EventFeed): ApiRoute {
  return {
    path: '/console/api/events',
    method: 'GET',
    serve(context, response) {
      if (!feed.hasRoom) return refuseWith(context, noRoom());
      response.writeHead(200, HEAD);
      if (context.request.method === 'HEAD') return void response.end();
      endWithServer(response);
      return feed.open(response, context.headers['last-event-id'] !== undefined);
    },
  };
}

const noRoom = (): ServiceError =>
  new ServiceError('SERVICE_BUSY', 'Too many event streams are open: close one, and try again');
