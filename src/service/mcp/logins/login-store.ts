import type { Clock } from '../../../ports/clock.ts';
import type { Table, Tables } from '../../../ports/tables.ts';

/** A login that a call has requested from a person. */
export interface StoredLogin {
  /** The wallet that must log in, base58. */
  readonly wallet: string;
  /** The cluster of the rollup that the call names; undefined for the default cluster. */
  readonly cluster: string | undefined;
  /** Phrase on the login page that describes the data that the caller receives after the login. */
  readonly tells: string;
  /** The name that the calling program gives itself, unverified; null if it gives none. */
  readonly client: string | null;
  /** Digest of the call. Only the same call may collect the login. */
  readonly call: string;
  /** The code that the person types on the page, such as `ABC-DEF`. */
  readonly code: string;
  /** Number of wrong codes that are still allowed. */
  readonly triesLeft: number;
  /** X25519 public key of the caller, 32 bytes. The token is encrypted for it. */
  readonly callerKey: Uint8Array;
  /** Id of the repeated call that waits for the outcome. */
  readonly waiter: string;
  readonly state: 'open' | 'declined' | 'answered';
  /** The encrypted token of an answered login; otherwise null. */
  readonly sealedToken: Uint8Array | null;
  /** Expiry of the login, Unix ms. */
  readonly until: number;
  /** Version of the login, which increases with each change. */
  readonly version: number;
}

/** Logins by id, for all processes of a service. Methods throw the system's error if they cannot write. */
export interface LoginStore {
  /** Adds a login. At the limit, it replaces the oldest unanswered one; returns false if all are answered. */
  add(id: string, login: StoredLogin): Promise<boolean>;
  /** Returns the login, unless it has expired. */
  get(id: string): Promise<StoredLogin | undefined>;
  /** Replaces a login; a null `next` removes it. Returns false if it changed since `version` or expired. */
  replace(id: string, version: number, next: StoredLogin | null): Promise<boolean>;
}

/** Maximum number of logins, in total and for one wallet. */
export const LOGINS_MAX = 64;
export const LOGINS_OF_WALLET_MAX = 4;

/** A {@link LoginStore} on tables. */
export class TableLoginStore implements LoginStore {
  readonly #tables: Tables;
  readonly #clock: Clock;
  readonly #logins: Table<StoredLogin>;

  constructor(tables: Tables, clock: Clock) {
    this.#tables = tables;
    this.#clock = clock;
    this.#logins = tables.open('logins');
  }

  add(id: string, login: StoredLogin): Promise<boolean> {
    return this.#tables.change(() => {
      for (const [old, { until }] of this.#logins.entries()) {
        if (until <= this.#clock.now()) this.#logins.remove(old);
      }
      const isOfWallet = ({ wallet }: StoredLogin): boolean => wallet === login.wallet;
      if (!this.#makeRoom(isOfWallet, LOGINS_OF_WALLET_MAX) || !this.#makeRoom(() => true, LOGINS_MAX))
        return false;
      this.#logins.put(id, login);
      return true;
    });
  }

  async get(id: string): Promise<StoredLogin | undefined> {
    return this.#read(id);
  }

  replace(id: string, version: number, next: StoredLogin | null): Promise<boolean> {
    return this.#tables.change(() => {
      if (this.#read(id)?.version !== version) return false;
      if (next === null) this.#logins.remove(id);
      else this.#logins.put(id, next);
      return true;
    });
  }

  #read(id: string): StoredLogin | undefined {
    const login = this.#logins.get(id);
    return login !== undefined && login.until > this.#clock.now() ? login : undefined;
  }

  /**
   * Removes the oldest unanswered login of a group that has `max` members. Declined logins count as
   * unanswered, because a caller can decline its own. Returns false if all are answered.
   */
  #makeRoom(isInGroup: (login: StoredLogin) => boolean, max: number): boolean {
    const group = this.#logins.entries().filter(([, login]) => isInGroup(login));
    if (group.length < max) return true;
    const removable = group.filter(([, { state }]) => state !== 'answered');
    const oldest = removable.sort(([, a], [, b]) => a.until - b.until)[0];
    if (oldest !== undefined) this.#logins.remove(oldest[0]);
    return oldest !== undefined;
  }
}
