import { KEY_LIMITS, type KeyStore, type KeyUse, type KeyVerdict } from '../../service/rest/key-store.ts';
import type { Database } from './database.ts';

/** New keys of a process between two deletions of expired ones. */
const SWEEP_EVERY = 64;

/** Maximum number of keys that one deletion removes. Deletions run often enough to keep up. */
const SWEPT_AT_ONCE = 256;

interface Row {
  /** Null unless this statement has claimed the key. */
  readonly fence: string | null;
  readonly fingerprint: string;
  readonly reply: Uint8Array | null;
}

/** A {@link KeyStore} in PostgreSQL. Responses are stored for a day, however many there are. */
export class PostgresKeyStore implements KeyStore {
  readonly #database: Database;
  #claimedCount = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(use: KeyUse, leaseMs: number): Promise<KeyVerdict> {
    for (;;) {
      const [row] = await this.#database.run(
        (sql) => sql<Row[]>`
          with claimed as (
            insert into keys as held (place, fingerprint, fence, until)
            values (
              ${use.place}, ${use.fingerprint}, nextval('key_fence'),
              state_now() + ${leaseMs} * interval '1 ms'
            )
            on conflict (place) do update
              set fingerprint = excluded.fingerprint, fence = excluded.fence, until = excluded.until, reply = null
              where held.until <= state_now()
            returning fence, fingerprint, reply
          )
          select fence, fingerprint, reply from claimed
          union all
          select null, fingerprint, reply from keys
          where place = ${use.place} and not exists (select from claimed)`,
      );
      // Another request claimed the key after this statement began, and the statement cannot see its row.
      if (row === undefined) continue;
      const { fence, fingerprint, reply } = row;
      if (fence !== null) {
        this.#sweep();
        return { kind: 'new', fence: Number(fence) };
      }
      if (fingerprint !== use.fingerprint) return { kind: 'reused' };
      return reply === null ? { kind: 'in-use' } : { kind: 'answered', reply };
    }
  }

  async settle(place: string, fence: number, reply: Uint8Array): Promise<boolean> {
    const { count } = await this.#database.run(
      (sql) => sql`
        update keys
        set reply = ${reply}, until = state_now() + ${KEY_LIMITS.storedMs} * interval '1 ms'
        where place = ${place} and fence = ${fence}`,
    );
    return count > 0;
  }

  async release(place: string, fence: number): Promise<void> {
    await this.#database.run(
      (sql) => sql`delete from keys where place = ${place} and fence = ${fence} and reply is null`,
    );
  }

  /** Deletes expired keys in the background. If it fails, a later one deletes them. */
  #sweep(): void {
    this.#claimedCount += 1;
    if (this.#claimedCount % SWEEP_EVERY !== 0) return;
    const swept = this.#database.run(
      (sql) => sql`
        delete from keys where place in (
          select place from keys where until <= state_now() limit ${SWEPT_AT_ONCE} for update skip locked
        )`,
    );
    swept.catch(() => undefined);
  }
}
