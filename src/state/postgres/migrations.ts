import type { Sql } from './database.ts';

/** The schema of all tables. */
export const SCHEMA = 'spl_private_payments';

/**
 * The statements that create the tables, by version. A version only adds to the one before, and never changes
 * or removes what the replicas of the previous release use: both run at once during an update.
 */
const VERSIONS: readonly string[] = [
  `
  create function state_now() returns timestamptz language sql stable as 'select clock_timestamp()';
  create sequence key_fence;
  create table keys (
    place text primary key,
    fingerprint text not null,
    fence bigint not null,
    until timestamptz not null,
    reply bytea
  );
  create index keys_until on keys (until);
  create table spending (
    budget text not null,
    minute bigint not null,
    client text not null,
    lamports numeric(20) not null,
    primary key (budget, minute, client)
  );
  create table logins (
    id text primary key,
    wallet text not null,
    state text not null,
    until bigint not null,
    version bigint not null,
    login jsonb not null
  );
  `,
  `
  create table api_keys (
    digest text primary key,
    id text not null unique,
    name text not null unique,
    scopes text not null,
    rate int,
    created_at bigint not null
  );
  `,
  `
  create table payments (
    id text primary key,
    identifier text,
    state text not null,
    is_due boolean not null default false,
    version bigint not null,
    created_ms bigint not null,
    leased_from timestamptz not null,
    leased_until timestamptz not null,
    payment jsonb not null
  );
  create unique index payments_identifier on payments (identifier)
    where state <> 'expired' or payment->>'order' is null;
  create index payments_by_identifier on payments (identifier) where identifier is not null;
  create index payments_due on payments (leased_until) where is_due;
  create index payments_signed on payments (leased_until) where state = 'signed';
  create index payments_created on payments (created_ms) where payment->>'order' is null;
  `,
  `
  create table records (
    kind text not null,
    id text not null collate "C",
    owner text not null,
    version bigint not null,
    created_ms bigint not null,
    until_ms bigint,
    record jsonb not null,
    primary key (kind, id)
  );
  create index records_owner on records (kind, owner, created_ms, id);
  create index records_until on records (until_ms) where until_ms is not null;
  `,
];

/** Id of the advisory lock of migrations: the first bytes of the schema's name. */
const LOCK = 0x73706c;

/**
 * Creates the schema, or adds the versions that are missing. A database of a later release stays as it is.
 *
 * @param versions the number of versions to have. Default: all.
 * @throws {Error} the error of postgres.js or of the database.
 */
export async function migrate(sql: Sql, versions = VERSIONS.length): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    await transaction.unsafe(`create schema if not exists ${SCHEMA}`);
    await transaction`create table if not exists versions (version int primary key)`;
    const [row] = await transaction<
      { done: number }[]
    >`select coalesce(max(version), 0) as done from versions`;
    const done = row?.done ?? 0;
    for (const [at, statements] of VERSIONS.slice(0, versions).entries()) {
      const version = at + 1;
      if (version <= done) continue;
      await transaction.unsafe(statements);
      await transaction`insert into versions values (${version})`;
    }
  });
}
