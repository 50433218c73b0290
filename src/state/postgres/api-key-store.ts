import type { ApiKeyStore, StoredKey } from '../../service/auth/api-key-store.ts';
import type { Database } from './database.ts';

/** A key as the table stores it: scopes separated by spaces, and the time as text, like all `bigint`s. */
type Row = Omit<StoredKey, 'scopes' | 'createdAt'> & { readonly scopes: string; readonly createdAt: string };

/** An {@link ApiKeyStore} in PostgreSQL. */
export class PostgresApiKeyStore implements ApiKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add({ digest, id, name, scopes, rate, createdAt }: StoredKey): Promise<boolean> {
    const { count } = await this.#database.run(
      (sql) => sql`
        insert into api_keys (digest, id, name, scopes, rate, created_at)
        values (${digest}, ${id}, ${name}, ${scopes.join(' ')}, ${rate}, ${createdAt})
        on conflict do nothing`,
    );
    return count > 0;
  }

  async list(): Promise<readonly StoredKey[]> {
    const rows = await this.#database.run(
      (sql) => sql<Row[]>`
        select digest, id, name, scopes, rate, created_at as "createdAt"
        from api_keys order by created_at, name collate "C"`,
    );
    return rows.map(keyOf);
  }

  async revoke(nameOrId: string): Promise<StoredKey | undefined> {
    const [row] = await this.#database.run(
      (sql) => sql<Row[]>`
        delete from api_keys where name = ${nameOrId} or id = ${nameOrId}
        returning digest, id, name, scopes, rate, created_at as "createdAt"`,
    );
    return row && keyOf(row);
  }
}

function keyOf({ scopes, createdAt, ...key }: Row): StoredKey {
  return { ...key, scopes: scopes.split(' '), createdAt: Number(createdAt) };
}
