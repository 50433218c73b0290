import { describe, expect, it, onTestFinished } from 'vitest';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { createDatabase, NO_POSTGRES } from '../testing/postgres-database.ts';
import { openTcpCutter } from '../testing/tcp-cutter.ts';
import { Database } from './database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { migrate } from './migrations.ts';

const USE = { place: 'place', fingerprint: 'request' };

describe.skipIf(NO_POSTGRES)('the database of replicas', () => {
  async function openReplica(url: string): Promise<Database> {
    const database = new Database(url);
    onTestFinished(() => database.close());
    return database;
  }

  /** Opens a replica whose connections can be interrupted, and one whose connections cannot. */
  async function openBoth() {
    const url = await createDatabase();
    const cutter = await openTcpCutter(Number(new URL(url).port));
    onTestFinished(() => cutter.close());
    const through = url.replace(/:\d+\//, `:${cutter.port}/`);
    return {
      cutter,
      keys: new PostgresKeyStore(await openReplica(through)),
      database: await openReplica(url),
    };
  }

  it('is created by several replicas that start at the same time', async () => {
    const url = await createDatabase();
    const replicas = await Promise.all(Array.from({ length: 5 }, () => openReplica(url)));
    const claims = await Promise.all(
      replicas.map((replica) => new PostgresKeyStore(replica).claim(USE, 30_000)),
    );
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual([
      'in-use',
      'in-use',
      'in-use',
      'in-use',
      'new',
    ]);
  });

  it('rejects statements while connections are closed, and accepts them right afterwards', async () => {
    const { cutter, keys } = await openBoth();
    expect((await keys.claim(USE, 30_000)).kind).toBe('new');
    cutter.cut();
    for (let time = 0; time < 3; time++) await expect(keys.claim(USE, 30_000)).rejects.toThrow();
    cutter.restore();
    expect((await keys.claim(USE, 30_000)).kind).toBe('in-use');
  });

  it('rejects statements while the network loses every packet, and accepts them right afterwards', async () => {
    const { cutter, keys } = await openBoth();
    const claim = await keys.claim(USE, 30_000);
    cutter.stall();
    const fence = claim.kind === 'new' ? claim.fence : 0;
    await expect(keys.settle('place', fence, Buffer.from('x'))).rejects.toMatchObject({
      code: 'SERVICE_BUSY',
    });
    cutter.restore();
    expect(await keys.settle('place', fence, Buffer.from('x'))).toBe(true);
  });

  it('finishes other statements if one takes too long (bug: they failed, too)', async () => {
    const timer = new HandTimer();
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const database = new Database(await createDatabase(), timer);
    onTestFinished(() => database.close());
    await database.run((sql) => sql`select 1`);
    const slow = database.run((sql) => sql`select pg_sleep(1)`);
    const failed = expect(slow).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    await nextTurn();
    timer.pass(1_000);
    const other = database.run((sql) => sql`select 7 as value from pg_sleep(0.1)`);
    await nextTurn();
    timer.pass(1_000);
    await failed;
    expect(await other).toEqual([{ value: 7 }]);
  });

  it('keeps a claim and a response whose confirmations were lost', async () => {
    const { cutter, keys, database } = await openBoth();
    const other = new PostgresKeyStore(database);
    await keys.claim({ ...USE, place: 'first' }, 30_000);
    cutter.mute();
    await expect(keys.claim(USE, 30_000)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    expect(await other.claim(USE, 30_000)).toEqual({ kind: 'in-use' });
    cutter.restore();
    const claim = await keys.claim({ ...USE, place: 'second' }, 30_000);
    if (claim.kind !== 'new') throw new Error('the key is in use');
    // The first use of a statement on a connection waits for an answer before it sends the parameters.
    expect(await keys.settle('unknown', 0, Buffer.from('x'))).toBe(false);
    cutter.mute();
    await expect(keys.settle('second', claim.fence, Buffer.from('x'))).rejects.toThrow();
    expect((await other.claim({ ...USE, place: 'second' }, 30_000)).kind).toBe('answered');
  });

  it('names neither password nor host in its errors', async () => {
    const database = await openReplica('postgres://somebody:hidden-word@127.0.0.1:1/ledger');
    const error = await database.run((sql) => sql`select 1`).then(String, String);
    expect(error).not.toMatch(/hidden-word|somebody/);
  });

  it('is migrated while replicas of the previous release serve', async () => {
    const url = await createDatabase();
    const old = await openReplica(url);
    await old.run((sql) => sql`drop schema spl_private_payments cascade`);
    await old.run((sql) => migrate(sql, 1));
    const keys = new PostgresKeyStore(old);
    const claim = await keys.claim(USE, 30_000);
    const fresh = new PostgresKeyStore(await openReplica(url));
    expect((await fresh.claim(USE, 30_000)).kind).toBe('in-use');
    if (claim.kind !== 'new') throw new Error('the key is in use');
    expect(await keys.settle('place', claim.fence, Buffer.from('x'))).toBe(true);
    expect((await fresh.claim(USE, 30_000)).kind).toBe('answered');
  });
});
