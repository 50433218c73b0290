import type { Table, Tables } from '../../ports/tables.ts';

/** An API key as it is stored. The key itself is not stored. */
export interface StoredKey {
  /** SHA-256 of the key, hex. */
  readonly digest: string;
  /** The first characters of the key, by which people recognize it. */
  readonly id: string;
  /** A name that the operator chose. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Rate limit, requests per second; null for the service's limit. */
  readonly rate: number | null;
  /** Time of creation, Unix ms. */
  readonly createdAt: number;
}

/** API keys, for all processes of a service. Methods throw the system's error if the store fails. */
export interface ApiKeyStore {
  /** Adds a key; returns false if another key has the same name, ID or digest. */
  add(key: StoredKey): Promise<boolean>;
  /** Returns all keys, the oldest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Removes the key with this name or ID and returns it; undefined if there is none. */
  revoke(nameOrId: string): Promise<StoredKey | undefined>;
}

/** An {@link ApiKeyStore} on tables. */
export class TableApiKeyStore implements ApiKeyStore {
  readonly #tables: Tables;
  readonly #keys: Table<StoredKey>;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#keys = tables.open('api keys');
  }

  add(key: StoredKey): Promise<boolean> {
    return this.#tables.change(() => {
      const isTaken = this.#all().some(
        ({ name, id, digest }) => name === key.name || id === key.id || digest === key.digest,
      );
      if (!isTaken) this.#keys.put(key.digest, key);
      return !isTaken;
    });
  }

  async list(): Promise<readonly StoredKey[]> {
    return this.#all().toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
  }

  revoke(nameOrId: string): Promise<StoredKey | undefined> {
    return this.#tables.change(() => {
      const found = this.#all().find(({ name, id }) => name === nameOrId || id === nameOrId);
      if (found !== undefined) this.#keys.remove(found.digest);
      return found;
    });
  }

  #all(): readonly StoredKey[] {
    return this.#keys.entries().map(([, key]) => key);
  }
}
