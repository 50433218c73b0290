import type { RecordPlace, RecordStore, StoredRecord } from '../../checkout/record-store.ts';
import type { Database } from './database.ts';

/** A {@link RecordStore} in PostgreSQL. */
export class PostgresRecordStore<T extends StoredRecord> implements RecordStore<T> {
  readonly #database: Database;
  readonly #kind: string;

  /** @param kind the name of the records, which share one table with those of other kinds. */
  constructor(database: Database, kind: string) {
    this.#database = database;
    this.#kind = kind;
  }

  async create(record: T): Promise<T> {
    const { id, owner, version, createdMs } = record;
    await this.#database.run(
      (sql) => sql`
        insert into records (kind, id, owner, version, created_ms, record)
        values (${this.#kind}, ${id}, ${owner}, ${version}, ${createdMs}, ${sql.json(record as never)})
        on conflict do nothing`,
    );
    // Records are never deleted.
    return (await this.get(id)) as T;
  }

  async get(id: string): Promise<T | undefined> {
    const [row] = await this.#database.run(
      (sql) => sql<{ record: T }[]>`select record from records where kind = ${this.#kind} and id = ${id}`,
    );
    return row?.record;
  }

  async replace(record: T): Promise<boolean> {
    const { id, version } = record;
    const { count } = await this.#database.run(
      (sql) => sql`
        update records set version = ${version}, record = ${sql.json(record as never)}
        where kind = ${this.#kind} and id = ${id} and version = ${version - 1}`,
    );
    return count > 0;
  }

  async list(owner: string, limit: number, before?: RecordPlace): Promise<readonly T[]> {
    const rows = await this.#database.run(
      (sql) => sql<{ record: T }[]>`
        select record from records
        where kind = ${this.#kind} and owner = ${owner}
        ${before === undefined ? sql`` : sql`and (created_ms, id) < (${before.createdMs}, ${before.id})`}
        order by created_ms desc, id desc limit ${limit}`,
    );
    return rows.map(({ record }) => record);
  }
}
