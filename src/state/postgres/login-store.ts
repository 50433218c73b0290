import {
  LOGINS_MAX,
  LOGINS_OF_WALLET_MAX,
  type LoginStore,
  type StoredLogin,
} from '../../service/mcp/logins/login-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Fragment, Transaction } from './database.ts';

/** Id of the advisory lock of new logins: the first bytes of "logi". */
const LOCK = 0x6c6f6769;

/** A login as JSON, with its bytes in base64. */
type Json = Omit<StoredLogin, 'callerKey' | 'sealedToken'> & {
  readonly callerKey: string;
  readonly sealedToken: string | null;
};

/** A {@link LoginStore} in PostgreSQL. */
export class PostgresLoginStore implements LoginStore {
  readonly #database: Database;
  readonly #clock: Clock;

  /** @param clock the clock that sets the expiry of logins. */
  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  add(id: string, login: StoredLogin): Promise<boolean> {
    return this.#database.transact(async (sql) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`;
      await sql`delete from logins where until <= ${this.#clock.now()}`;
      const isOfWallet = sql`wallet = ${login.wallet}`;
      if (!(await makeRoom(sql, isOfWallet, LOGINS_OF_WALLET_MAX))) return false;
      if (!(await makeRoom(sql, sql`true`, LOGINS_MAX))) return false;
      const { wallet, state, until, version } = login;
      await sql`
        insert into logins (id, wallet, state, until, version, login)
        values (${id}, ${wallet}, ${state}, ${until}, ${version}, ${sql.json(jsonOf(login))})`;
      return true;
    });
  }

  async get(id: string): Promise<StoredLogin | undefined> {
    const [row] = await this.#database.run(
      (sql) =>
        sql<{ login: Json }[]>`select login from logins where id = ${id} and until > ${this.#clock.now()}`,
    );
    if (row === undefined) return undefined;
    const { callerKey, sealedToken, ...login } = row.login;
    return {
      ...login,
      callerKey: Buffer.from(callerKey, 'base64'),
      sealedToken: sealedToken === null ? null : Buffer.from(sealedToken, 'base64'),
    };
  }

  async replace(id: string, version: number, next: StoredLogin | null): Promise<boolean> {
    const { count } = await this.#database.run((sql) => {
      const isCurrent = sql`id = ${id} and version = ${version} and until > ${this.#clock.now()}`;
      return next === null
        ? sql`delete from logins where ${isCurrent}`
        : sql`
            update logins
            set state = ${next.state}, until = ${next.until}, version = ${next.version}, login = ${sql.json(jsonOf(next))}
            where ${isCurrent}`;
    });
    return count > 0;
  }
}

/**
 * Removes the oldest unanswered login of a group that has `max` members. Returns false if all are answered.
 */
async function makeRoom(sql: Transaction, group: Fragment, max: number): Promise<boolean> {
  const [row] = await sql<[{ count: number }]>`select count(*)::int from logins where ${group}`;
  if (row.count < max) return true;
  const { count } = await sql`
    delete from logins where id = (
      select id from logins where ${group} and state <> 'answered' order by until limit 1
    )`;
  return count > 0;
}

function jsonOf({ callerKey, sealedToken, ...login }: StoredLogin): Json {
  // `jsonb` cannot hold NUL and lone surrogates, which a client can have in its name.
  const client = login.client?.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') ?? null;
  return {
    ...login,
    client,
    callerKey: base64Of(callerKey),
    sealedToken: sealedToken && base64Of(sealedToken),
  };
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
