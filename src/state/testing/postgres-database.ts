import { onTestFinished } from 'vitest';
import { Database } from '../postgres/database.ts';
import { missingPrograms, type ServerProcess, startPostgres } from './server-process.ts';

/** Why PostgreSQL cannot be tested here; undefined if it can. */
export const NO_POSTGRES = missingPrograms('postgres', 'initdb', 'pg_isready');

/** One server for all test files of this process. It ends with the process. */
let server: Promise<ServerProcess> | undefined;
let databases = 0;

/** Creates an empty database, and returns its connection string. */
export async function createDatabase(): Promise<string> {
  server ??= startPostgres();
  const { url } = await server;
  const name = `test_${(databases += 1)}`;
  const admin = new Database(url);
  await admin.run((sql) => sql.unsafe(`create database ${name}`));
  await admin.close();
  return url.replace(/postgres$/, name);
}

/** A database with its own time. */
interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /** Moves the time of the database; a negative `ms` sets it back. */
  pass(ms: number): Promise<void>;
}

/** Opens an empty database that is closed at the end of the test. */
export async function openDatabase(): Promise<TestDatabase> {
  const url = await createDatabase();
  const database = new Database(url);
  onTestFinished(() => database.close());
  await database.run((sql) =>
    sql.unsafe(`
      create table test_clock as select 0::bigint as ms;
      create or replace function state_now() returns timestamptz language sql
        as 'select to_timestamp(ms / 1000.0) from test_clock';
    `),
  );
  return {
    database,
    url,
    pass: async (ms) => void (await database.run((sql) => sql`update test_clock set ms = ms + ${ms}`)),
  };
}
