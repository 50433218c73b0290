import { describe, expect, it } from 'vitest';
import { systemClock } from '../../ports/clock.ts';
import { NO_POSTGRES, openDatabase } from '../testing/postgres-database.ts';
import { PostgresLoginStore } from './login-store.ts';

describe.skipIf(NO_POSTGRES)('logins in PostgreSQL', () => {
  it('can be requested by a client of any name (bug: a cut emoji was an internal error)', async () => {
    const { database } = await openDatabase();
    const store = new PostgresLoginStore(database, systemClock);
    const login = {
      wallet: 'wallet',
      cluster: undefined,
      tells: 'a balance',
      client: 'Robot\0 \ud83e',
      call: 'call',
      code: 'ABC-DEF',
      triesLeft: 5,
      callerKey: Uint8Array.of(1),
      waiter: '',
      state: 'open',
      sealedToken: null,
      until: systemClock.now() + 60_000,
      version: 0,
    } as const;
    expect(await store.add('id', login)).toBe(true);
    expect(await store.get('id')).toMatchObject({ client: 'Robot\ufffd \ufffd' });
  });
});
