import type { Clock } from '../../ports/clock.ts';
import type { Table, Tables } from '../../ports/tables.ts';

/** Limits of the stored responses. */
export interface KeyLimits {
  /** Maximum number of keys. The oldest is dropped first. */
  readonly answersMax: number;
  /** Maximum total bytes of responses. The oldest is dropped first. */
  readonly bytesMax: number;
  /** Time for which a response is stored, in ms. */
  readonly storedMs: number;
}

export const KEY_LIMITS: KeyLimits = {
  answersMax: 10_000,
  bytesMax: 16 * 1024 * 1024,
  storedMs: 24 * 60 * 60 * 1_000,
};

/** Digests that identify a request with a key. They do not reveal the key. */
export interface KeyUse {
  /** Digest of the key and its scope. */
  readonly place: string;
  /** Digest of the key, its scope and the request. It must be equal if the key is used again. */
  readonly fingerprint: string;
}

/** Result of claiming a key. */
export type KeyVerdict =
  /** The key belongs to the caller until the lease ends. `fence` increases with each claim. */
  | { readonly kind: 'new'; readonly fence: number }
  /** The same request has a stored response. */
  | { readonly kind: 'answered'; readonly reply: Uint8Array }
  /** The same request is in progress. */
  | { readonly kind: 'in-use' }
  /** The key was used for a different request. */
  | { readonly kind: 'reused' };

interface Entry {
  readonly fingerprint: string;
  readonly fence: number;
  /** End of the lease, or of the storage time. */
  readonly until: number;
  /** The encrypted response; null while the request is being served. */
  readonly reply: Uint8Array | null;
}

interface Sums {
  readonly fence: number;
  readonly count: number;
  readonly bytes: number;
}

const SUMS = 'sums';

/** Maximum number of entries dropped per claim. A lowered limit takes effect gradually. */
const DROPPED_AT_ONCE = 64;

/** Stores keys and responses for all replicas of a service. Methods throw if the store cannot be written. */
export interface KeyStore {
  /** Claims a key for one request. A claim that is not settled ends after `leaseMs`. */
  claim(use: KeyUse, leaseMs: number): Promise<KeyVerdict>;
  /** Stores the encrypted response. Returns false if another request has claimed the key since. */
  settle(place: string, fence: number, reply: Uint8Array): Promise<boolean>;
  /** Releases the key without a response. */
  release(place: string, fence: number): Promise<void>;
}

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

  claim({ place, fingerprint }: KeyUse, leaseMs: number): Promise<KeyVerdict> {
    return this.#tables.change(() => {
      const now = this.#clock.now();
      const found = this.#entries.get(place);
      if (found !== undefined && found.until > now) return verdictOn(found, fingerprint);
      if (found !== undefined) this.#drop(place, found);
      const sums = this.#read();
      const fence = sums.fence + 1;
      this.#entries.put(place, { fingerprint, fence, until: now + leaseMs, reply: null });
      this.#order.put(orderOf(fence), place);
      this.#sums.put(SUMS, { ...sums, fence, count: sums.count + 1 });
      this.#dropOldest(now);
      return { kind: 'new', fence };
    });
  }

  settle(place: string, fence: number, reply: Uint8Array): Promise<boolean> {
    return this.#tables.change(() => {
      const found = this.#entries.get(place);
      if (found?.fence !== fence) return false;
      // A response over the limit would push out all others.
      if (reply.length > this.#limits.bytesMax) this.#drop(place, found);
      else {
        const now = this.#clock.now();
        this.#entries.put(place, { ...found, until: now + this.#limits.storedMs, reply });
        const sums = this.#read();
        this.#sums.put(SUMS, { ...sums, bytes: sums.bytes + reply.length });
        this.#dropOldest(now);
      }
      return true;
    });
  }

  release(place: string, fence: number): Promise<void> {
    return this.#tables.change(() => {
      const found = this.#entries.get(place);
      if (found?.fence === fence && found.reply === null) this.#drop(place, found);
    });
  }

  #read(): Sums {
    return this.#sums.get(SUMS) ?? { fence: 0, count: 0, bytes: 0 };
  }

  /** Drops expired entries, and the oldest entries above the limits. Requests in progress stay. */
  #dropOldest(now: number): void {
    const { answersMax, bytesMax } = this.#limits;
    for (let dropped = 0; dropped < DROPPED_AT_ONCE; dropped += 1) {
      const place = this.#order.first()?.[1];
      const oldest = place === undefined ? undefined : this.#entries.get(place);
      if (place === undefined || oldest === undefined) return;
      const { count, bytes } = this.#read();
      const isOver = (count > answersMax || bytes > bytesMax) && oldest.reply !== null;
      if (!isOver && oldest.until > now) return;
      this.#drop(place, oldest);
    }
  }

  #drop(place: string, { fence, reply }: Entry): void {
    this.#entries.remove(place);
    this.#order.remove(orderOf(fence));
    const { count, bytes, ...sums } = this.#read();
    this.#sums.put(SUMS, { ...sums, count: count - 1, bytes: bytes - (reply?.length ?? 0) });
  }
}

function verdictOn({ fingerprint, reply }: Entry, asked: string): KeyVerdict {
  if (fingerprint !== asked) return { kind: 'reused' };
  return reply === null ? { kind: 'in-use' } : { kind: 'answered', reply };
}

/** Writes a fence as text that sorts like the number. */
const orderOf = (fence: number): string => String(fence).padStart(16, '0');
