import postgres from 'postgres';
import { ServiceError } from '../../errors/service-error.ts';
import { systemTimer, type Timer } from '../../ports/timer.ts';
import { migrate, SCHEMA } from './migrations.ts';

/** Runs SQL in tagged templates. Parameters are sent separately from the text. */
export type Sql = postgres.Sql;

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A running transaction. */
export type Transaction = postgres.TransactionSql;

/** Maximum time of a statement or transaction, ms. Callers of the service wait for it. */
const TIMEOUT_MS = 2_000;

/** Default maximum number of connections. PostgreSQL accepts 100 of all processes by default. */
const CONNECTIONS_MAX = 10;

const SECOND_MS = 1_000;

/**
 * A PostgreSQL database that replicas of a service share. It creates its tables in the schema
 * `spl_private_payments` on first use. All times are those of the database, because the clocks of replicas
 * differ.
 */
export class Database {
  readonly #open: () => Sql;
  readonly #timer: Timer;
  #sql: Sql;
  #migrated: Promise<void> | null = null;

  /**
   * @param url connection string. Nothing is connected before the first statement.
   * @param connectionsMax maximum number of connections.
   */
  constructor(url: string, timer: Timer = systemTimer, connectionsMax = CONNECTIONS_MAX) {
    this.#timer = timer;
    this.#open = () =>
      postgres(url, {
        max: connectionsMax,
        connect_timeout: TIMEOUT_MS / SECOND_MS,
        // A lost connection must not delay the first request after the database is back.
        backoff: false,
        fetch_types: false,
        onnotice: () => undefined,
        connection: {
          application_name: 'spl-private-payments',
          search_path: SCHEMA,
          statement_timeout: TIMEOUT_MS,
          idle_in_transaction_session_timeout: TIMEOUT_MS,
        },
      });
    this.#sql = this.#open();
  }

  /**
   * Runs a statement. It may have been executed even if this fails.
   *
   * @throws {Error} the error of postgres.js or of the database.
   * @throws {ServiceError} SERVICE_BUSY if the database does not answer within 2 s.
   */
  async run<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    this.#migrated ??= this.#limit((sql) => migrate(sql));
    try {
      await this.#migrated;
    } catch (error) {
      this.#migrated = null;
      throw error;
    }
    return await this.#limit(statement);
  }

  /** Runs a transaction, like {@link run}. */
  transact<T>(change: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.run((sql) => sql.begin(change) as Promise<T>);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#sql.end({ timeout: 0 });
  }

  async #limit<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const sql = this.#sql;
    let stop = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      stop = this.#timer.after(TIMEOUT_MS, () => {
        // The network may have lost the connections without closing them.
        if (this.#sql === sql) {
          this.#sql = this.#open();
          // Other statements have their own time.
          void sql.end({ timeout: TIMEOUT_MS / SECOND_MS });
        }
        reject(
          new ServiceError(
            'SERVICE_BUSY',
            'The database at STATE_URL does not answer; try again in a second',
          ),
        );
      });
    });
    try {
      return await Promise.race([statement(sql), late]);
    } finally {
      stop();
    }
  }
}
