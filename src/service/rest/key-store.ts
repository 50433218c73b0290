import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Table, Tables } from '../../ports/tables.ts';

/** Limits of the stored responses. */
export interface KeyLimits {
  /** Maximum number of keys. The oldest is dropped first. */
  readonly answersMax: number;
  /** Maximum total bytes of responses. The oldest is dropped first. */
  readonly bytesMax: number;
  /** How long a response is stored, ms. */
  readonly keptMs: number;
}

export const KEY_LIMITS: KeyLimits = {
  answersMax: 10_000,
  bytesMax: 16 * 1024 * 1024,
  keptMs: 24 * 60 * 60 * 1_000,
};

/** Digests that identify a request with a key. They do not reveal the key. */
export interface KeyUse {
  /** Digest of the key and its scope. */
  readonly place: string;
  /** Digest of these and the request. It must be equal if the key is used again. */
  readonly fingerprint: string;
}

/** An encrypted response. */
type SealedReply = Uint8Array;

/** Result of claiming a key. */
export type KeyVerdict =
  /** The key belongs to the caller until the lease ends. */
  | { readonly kind: 'new'; readonly fence: number }
  /** The same request has a stored response. */
  | { readonly kind: 'answered'; readonly reply: SealedReply }
  /** The same request is being served right now. */
  | { readonly kind: 'in-use' }
  /** The key was used for a different request. */
  | { readonly kind: 'reused' };

/**
 * Stores keys and responses for all processes of a service. `about` is what a response depends on: a key used
 * with another value counts as unused.
 *
 * Every method throws the system's error if it cannot write.
 */
export interface KeyStore {
  /**
   * Claims a key for one request. A claim that is not settled ends after `leaseMs`. `fence` grows with each
   * claim.
   */
  claim(use: KeyUse, about: string, leaseMs: number): Promise<KeyVerdict>;
  /** Stores the response; returns false if another request has claimed the key since. */
  settle(use: KeyUse, about: string, fence: number, reply: SealedReply): Promise<boolean>;
  /** Releases the key unused. */
  release(use: KeyUse, about: string, fence: number): Promise<void>;
}

interface Entry {
  readonly fingerprint: string;
  readonly fence: number;
  /** End of the lease, or of the storage time. */
  readonly until: number;
  /** Null while the request is being served. */
  readonly reply: SealedReply | null;
}

interface Sums {
  readonly fence: number;
  readonly count: number;
  readonly bytes: number;
}

const SUMS = 'sums';

/** Maximum number of entries dropped with one claim. A lowered limit is reached step by step. */
const DROPPED_AT_ONCE = 64;

/** A {@link KeyStore} on tables. */
export class TableKeyStore implements KeyStore {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #limits: KeyLimits;
  readonly #entries: Table<Entry>;
  /** Places by fence, oldest first. */
  readonly #order: Table<string>;
  readonly #sums: Table<Sums>;

  constructor(tables: Tables, clock: Clock, limits: KeyLimits = KEY_LIMITS) {
    this.#tables = tables;
    this.#clock = clock;
    this.#limits = limits;
    this.#entries = tables.open('keys');
    this.#order = tables.open('key order');
    this.#sums = tables.open('key sums');
  }

  claim({ place, fingerprint }: KeyUse, about: string, leaseMs: number): Promise<KeyVerdict> {
    const at = placeAbout(about, place);
    return this.#tables.change(() => {
      const now = this.#clock.now();
      const found = this.#entries.get(at);
      if (found !== undefined && found.until > now) return verdictOn(found, fingerprint);
      if (found !== undefined) this.#drop(at, found);
      const sums = this.#read();
      const fence = sums.fence + 1;
      this.#entries.put(at, { fingerprint, fence, until: now + leaseMs, reply: null });
      this.#order.put(orderOf(fence), at);
      this.#sums.put(SUMS, { ...sums, fence, count: sums.count + 1 });
      this.#dropOldest(now);
      return { kind: 'new', fence };
    });
  }

  settle({ place }: KeyUse, about: string, fence: number, reply: SealedReply): Promise<boolean> {
    const at = placeAbout(about, place);
    return this.#tables.change(() => {
      const found = this.#entries.get(at);
      if (found?.fence !== fence) return false;
      // A response over the limit would drop all others.
      if (reply.length > this.#limits.bytesMax) this.#drop(at, found);
      else {
        const now = this.#clock.now();
        this.#entries.put(at, { ...found, until: now + this.#limits.keptMs, reply });
        const sums = this.#read();
        this.#sums.put(SUMS, { ...sums, bytes: sums.bytes + reply.length });
        this.#dropOldest(now);
      }
      return true;
    });
  }

  release({ place }: KeyUse, about: string, fence: number): Promise<void> {
    const at = placeAbout(about, place);
    return this.#tables.change(() => {
      const found = this.#entries.get(at);
      if (found?.fence === fence && found.reply === null) this.#drop(at, found);
    });
  }

  #read(): Sums {
    return this.#sums.get(SUMS) ?? { fence: 0, count: 0, bytes: 0 };
  }

  /** Drops expired entries, and the oldest ones above the limits, but no request in progress. */
  #dropOldest(now: number): void {
    const { answersMax, bytesMax } = this.#limits;
    for (let dropped = 0; dropped < DROPPED_AT_ONCE; dropped += 1) {
      const at = this.#order.first()?.[1];
      const oldest = at === undefined ? undefined : this.#entries.get(at);
      if (at === undefined || oldest === undefined) return;
      const { count, bytes } = this.#read();
      const isOver = (count > answersMax || bytes > bytesMax) && oldest.reply !== null;
      if (!isOver && oldest.until > now) return;
      this.#drop(at, oldest);
    }
  }

  #drop(at: string, { fence, reply }: Entry): void {
    this.#entries.remove(at);
    this.#order.remove(orderOf(fence));
    const { count, bytes, ...sums } = this.#read();
    this.#sums.put(SUMS, { ...sums, count: count - 1, bytes: bytes - (reply?.length ?? 0) });
  }
}

function verdictOn({ fingerprint, reply }: Entry, asked: string): KeyVerdict {
  if (fingerprint !== asked) return { kind: 'reused' };
  return reply === null ? { kind: 'in-use' } : { kind: 'answered', reply };
}

const placeAbout = (about: string, place: string): string =>
  createHash('sha256').update(`${about} ${place}`).digest('base64url');

/** As text that sorts like the number. */
const orderOf = (fence: number): string => String(fence).padStart(16, '0');
