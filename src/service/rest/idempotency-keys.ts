import { createCipheriv, createDecipheriv, createHash, randomFillSync } from 'node:crypto';
import { failureFields } from '../../errors/failure-fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Table, Tables } from '../../ports/tables.ts';
import type { Reply } from '../reply.ts';

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a 96-bit nonce and a 128-bit tag. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Separates the head, which is JSON without line feeds, from the body. */
const LINE_END = 0x0a;

type Head = Pick<Reply, 'status' | 'contentType' | 'headers'>;

/**
 * Encrypts a response for storage as nonce, tag and ciphertext. Only requests with the same key and token can
 * read it.
 *
 * @param secret 32 bytes in base64.
 */
function sealAnswer(secret: string, reply: Reply): Buffer {
  const { status, contentType, headers, body = '' } = reply;
  const head: Head = {
    status,
    ...(contentType && { contentType }),
    ...(headers && { headers }),
  };
  const nonce = randomFillSync(Buffer.allocUnsafe(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, Buffer.from(secret, 'base64'), nonce);
  const sealed = [cipher.update(`${JSON.stringify(head)}\n${body}`, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/**
 * Decrypts a response from {@link sealAnswer} with the same secret.
 *
 * @throws {Error} Node's error, if the secret or the bytes are wrong.
 */
function openAnswer({ secret }: { readonly secret: string }, bytes: Uint8Array): Reply {
  const decipher = createDecipheriv(CIPHER, Buffer.from(secret, 'base64'), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  decipher.final();
  const end = opened.indexOf(LINE_END);
  return { ...(JSON.parse(opened.toString('utf8', 0, end)) as Head), body: opened.toString('utf8', end + 1) };
}

/**
 * Time until the key of an unfinished request is released, in ms. It exceeds the 30 s limit for operations.
 * The key of a killed process stays in use that long.
 */
const LEASE_MS = 45_000;

/** The result of claiming a key. */
export type Claim =
  /** The key is unused. Serve the request, and call `settle` with the response before sending it. */
  | { readonly kind: 'new'; readonly settle: (reply: Reply | undefined) => Promise<void> }
  /** The same request has a stored response. */
  | { readonly kind: 'answered'; readonly reply: Reply }
  | Extract<KeyVerdict, { readonly kind: 'in-use' | 'reused' }>;

/** Digests of a request with a key, and the secret that encrypts its response. */
interface SecretUse extends KeyUse {
  /** SHA-256 in base64. */
  readonly secret: string;
}

/**
 * Digests a key and its request.
 *
 * @param scope scope of the key, including the key.
 * @param request the request as JSON.
 */
export function digestUse(scope: readonly string[], request: unknown): SecretUse {
  return {
    place: digest(scope),
    secret: digest(['secret', scope]),
    fingerprint: digest(['request', scope, request]),
  };
}

/** Requests with an `Idempotency-Key` and their responses, except 5xx ones, which can be retried. */
export class IdempotencyKeys {
  readonly #store: KeyStore;
  readonly #logger: Logger;
  readonly #about: () => string;
  /** Whether the current failure of the store has been logged. */
  #isFailing = false;

  /**
   * @param about returns a value that responses depend on, such as the genesis hash of a ledger. A key used
   *   with a different value counts as unused.
   */
  constructor(store: KeyStore, logger: Logger, about: () => string = () => '') {
    this.#store = store;
    this.#logger = logger;
    this.#about = about;
  }

  /**
   * Claims a key for a request.
   *
   * @throws {ServiceError} SERVICE_BUSY if keys cannot be stored, so that no request is executed twice.
   */
  async claim(use: SecretUse): Promise<Claim> {
    // Read it now, because it may change before the response is ready.
    const about = this.#about();
    const verdict = await this.#claimIn(use, about);
    if (verdict.kind === 'answered') return { kind: 'answered', reply: openAnswer(use, verdict.reply) };
    if (verdict.kind !== 'new') return verdict;
    return { kind: 'new', settle: (reply) => this.#settle(use, about, verdict.fence, reply) };
  }

  async #claimIn(use: KeyUse, about: string): Promise<KeyVerdict> {
    try {
      const verdict = await this.#store.claim(use, about, LEASE_MS);
      this.#isFailing = false;
      return verdict;
    } catch (error) {
      this.#failed(error);
      throw new ServiceError(
        'SERVICE_BUSY',
        'Requests with an Idempotency-Key cannot be served for now, because their responses cannot be stored; try again in a second',
        {},
        { cause: error as Error },
      );
    }
  }

  /** Stores a response. Never fails: without storage, the key stays in use until its lease ends. */
  async #settle(use: SecretUse, about: string, fence: number, reply: Reply | undefined): Promise<void> {
    const isStored = reply !== undefined && reply.status < 500;
    try {
      if (isStored) await this.#store.settle(use, about, fence, sealAnswer(use.secret, reply));
      else await this.#store.release(use, about, fence);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) {
      this.#logger.error(
        failureFields(error),
        'responses to requests with an Idempotency-Key cannot be stored: such requests are rejected until they can',
      );
    }
    this.#isFailing = true;
  }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

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
  /** Null while the request is being served. */
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

/**
 * Stores keys and responses for all processes of a service. A response depends on `about`, so a key used with
 * a different value counts as unused. Every method throws the system's error if it cannot write.
 */
export class KeyStore {
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

  /** Claims a key for one request. A claim that is not settled ends after `leaseMs`. */
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

  /** Stores the encrypted response; returns false if another request has claimed the key meanwhile. */
  settle({ place }: KeyUse, about: string, fence: number, reply: Uint8Array): Promise<boolean> {
    const at = placeAbout(about, place);
    return this.#tables.change(() => {
      const found = this.#entries.get(at);
      if (found?.fence !== fence) return false;
      // A response over the limit would push out all others.
      if (reply.length > this.#limits.bytesMax) this.#drop(at, found);
      else {
        const now = this.#clock.now();
        this.#entries.put(at, { ...found, until: now + this.#limits.storedMs, reply });
        const sums = this.#read();
        this.#sums.put(SUMS, { ...sums, bytes: sums.bytes + reply.length });
        this.#dropOldest(now);
      }
      return true;
    });
  }

  /** Releases the key without a response. */
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

  /** Drops expired entries, and the oldest entries above the limits. Requests in progress stay. */
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

/** Writes a fence as text that sorts like the number. */
const orderOf = (fence: number): string => String(fence).padStart(16, '0');
