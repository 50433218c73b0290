import type { RecordPlace, RecordStore, StoredRecord } from '../../checkout/record-store.ts';
import type { Database } from './database.ts';

/** Maximum number of records that one deletion removes. More than one, so that deletions keep up. */
const SWEPT_AT_ONCE = 16;

/** A {@link RecordStore} in PostgreSQL. */
export class PostgresRecordStore<T extends StoredRecord> implements RecordStore<T> {
  readonly #database: Database;
  readonly #kind: string;

  /** @param kind the kind of the records. All kinds share one table. */
  constructor(database: Database, kind: string) {
    this.#database = database;
    this.#kind = kind;
  }

  async create(record: T): Promise<T> {
    const { id, owner, version, createdMs, untilMs } = record;
    const { count } = await this.#database.run(
      (sql) => sql`
        insert into records (kind, id, owner, version, created_ms, until_ms, record)
        values (
          ${this.#kind}, ${id}, ${owner}, ${version}, ${createdMs}, ${untilMs}, ${sql.json(record as never)}
        )
        on conflict do nothing`,
    );
    if (count === 0) return (await this.get(id)) ?? (await this.create(record));
    if (untilMs !== null) this.#sweep(createdMs);
    return record;
  }

  async get(id: string): Promise<T | undefined> {
    const [row] = await this.#database.run(
      (sql) => sql<{ record: T }[]>`select record from records where kind = ${this.#kind} and id = ${id}`,
    );
    return row?.record;
  }

  async replace(record: T): Promise<boolean> {
    const { id, version, untilMs } = record;
    const { count } = await this.#database.run(
      (sql) => sql`
        update records set version = ${version}, until_ms = ${untilMs}, record = ${sql.json(record as never)}
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

  /** Deletes records that are due, in the background. If that fails, a later call deletes them. */
  #sweep(nowMs: number): void {
    const swept = this.#database.run(
      (sql) => sql`
        delete from records where (kind, id) in (
          select kind, id from records where until_ms <= ${nowMs}
          order by until_ms limit ${SWEPT_AT_ONCE} for update skip locked
        )`,
    );
    swept.catch(() => undefined);
  }
}
