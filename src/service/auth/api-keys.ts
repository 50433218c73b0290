import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { ApiKeyStore, StoredKey } from './api-key-store.ts';
import { type Caller, InvalidCredentials } from './caller.ts';

/** The prefix of every API key, by which scanners recognize leaked keys. */
export const KEY_PREFIX = 'spp_';

/** Number of random bytes in a key. They cannot be guessed, so a fast digest is enough. */
const KEY_BYTES = 32;

/** Length of an ID. It reveals 48 of the 256 random bits. */
const ID_LENGTH = KEY_PREFIX.length + 8;

const API_KEY = /^spp_[A-Za-z0-9_-]{43}$/;

/** Maximum number of keys. Each process reads all of them once per second. */
export const KEYS_MAX = 10_000;

/** Time for which a process uses the keys it has read, in ms. Revocations take effect within this time. */
const FRESH_MS = 1_000;

/** Burst of a key that has its own limit, in seconds of its rate. The default limits have the same ratio. */
const BURST_SECONDS = 2;

/** A new API key. */
interface NewKey {
  /** The secret, which is shown once and never stored. */
  readonly key: string;
  readonly stored: StoredKey;
}

/** Creates an API key. */
export function makeApiKey(
  terms: Pick<StoredKey, 'name' | 'scopes' | 'rate'>,
  { random, clock }: { readonly random: Random; readonly clock: Clock },
): NewKey {
  const key = `${KEY_PREFIX}${Buffer.from(random.bytes(KEY_BYTES)).toString('base64url')}`;
  const { name, scopes, rate } = terms;
  return {
    key,
    stored: {
      digest: digestOf(key),
      id: key.slice(0, ID_LENGTH),
      name,
      scopes,
      rate,
      createdAt: clock.now(),
    },
  };
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Checks API keys against the store. It reads all keys at once and at most once per second, so unknown keys
 * cause no reads, and a flood of them does not reach the store.
 */
export class ApiKeys {
  readonly #store: Pick<ApiKeyStore, 'list'>;
  readonly #clock: Clock;
  #callers: ReadonlyMap<string, Caller> = new Map();
  /** Start of the last successful read. */
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(store: Pick<ApiKeyStore, 'list'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Returns the caller with this key. Looking up a digest takes a time that reveals nothing about a key.
   *
   * @throws {InvalidCredentials} if the key does not exist, with the same message if it was revoked.
   * @throws any other error if the store cannot be read.
   */
  async verify(key: string): Promise<Caller> {
    const oldest = this.#now() - FRESH_MS;
    // A read in progress may have started too early, so a second one may be necessary.
    while (this.#readAt <= oldest) {
      await (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
    }
    const caller = API_KEY.test(key) ? this.#callers.get(digestOf(key)) : undefined;
    if (caller === undefined) throw new InvalidCredentials('The API key is not valid');
    return caller;
  }

  async #read(): Promise<void> {
    const startedAt = this.#now();
    const keys = await this.#store.list();
    this.#callers = new Map(keys.map((key) => [key.digest, callerOf(key)]));
    this.#readAt = startedAt;
  }

  #now(): number {
    return this.#clock.steady?.() ?? this.#clock.now();
  }
}

function callerOf({ id, scopes, rate }: StoredKey): Caller {
  return {
    // The prefix keeps keys apart from addresses and subjects.
    client: `key ${id}`,
    scopes: new Set(scopes),
    limit: rate === null ? undefined : { requestsPerSecond: rate, burst: BURST_SECONDS * rate },
  };
}
