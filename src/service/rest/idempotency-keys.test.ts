import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { LmdbTables } from '../../state/lmdb-tables.ts';
import type { Reply } from '../reply.ts';
import { type Claim, digestUse, IdempotencyKeys } from './idempotency-keys.ts';
import { TableKeyStore } from './key-store.ts';

const SCOPE = ['deposit', 'token', 'key'];
const BODY = { amount: 1 };
const REPLY: Reply = {
  status: 200,
  body: '{"kind":"deposit"}',
  contentType: 'application/json',
  headers: ['x-header', 'value'],
};

const clock = { now: () => 0 };
const inMemory = (): IdempotencyKeys =>
  new IdempotencyKeys(new TableKeyStore(new MemoryTables(), clock), silentLogger);

const claim = (
  keys: IdempotencyKeys,
  scope: readonly string[] = SCOPE,
  body: object = BODY,
): Promise<Claim> => keys.claim(digestUse(scope, body));

async function answer(claimed: Claim, reply: Reply | undefined): Promise<void> {
  if (claimed.kind !== 'new') throw new Error(`the key is ${claimed.kind}`);
  await claimed.settle(reply);
}

describe('idempotency keys', () => {
  it('return the original response for the same request', async () => {
    const keys = inMemory();
    await answer(await claim(keys), REPLY);
    expect(await claim(keys)).toEqual({ kind: 'answered', reply: REPLY });
    expect(await claim(keys, SCOPE, { amount: 2 })).toEqual({ kind: 'reused' });
  });

  it.each([
    ['operation', ['withdraw', 'token', 'key']],
    ['token', ['deposit', 'other', 'key']],
    ['key', ['deposit', 'token', 'other']],
  ])('do not apply to another %s', async (_name, scope) => {
    const keys = inMemory();
    await answer(await claim(keys), REPLY);
    expect((await claim(keys, scope)).kind).toBe('new');
  });

  it.each([
    ['4xx responses are stored', { ...REPLY, status: 409 }, 'answered'],
    ['5xx responses are not stored', { ...REPLY, status: 503 }, 'new'],
    ['a missing response frees the key', undefined, 'new'],
  ])('%s', async (_name, reply, kind) => {
    const keys = inMemory();
    await answer(await claim(keys), reply);
    expect((await claim(keys)).kind).toBe(kind);
  });

  it('belong to one ledger, even if it is reset meanwhile (bug: old responses were repeated)', async () => {
    let genesis = 'first';
    const keys = new IdempotencyKeys(
      new TableKeyStore(new MemoryTables(), clock),
      silentLogger,
      () => genesis,
    );
    await answer(await claim(keys, ['before']), REPLY);
    const begunBefore = await claim(keys, ['meanwhile']);
    genesis = 'second';
    await answer(begunBefore, REPLY);
    for (const key of ['before', 'meanwhile']) expect((await claim(keys, [key])).kind).toBe('new');
  });

  it('reject requests while nothing can be stored, even running ones, and log it once', async () => {
    const tables = new MemoryTables();
    const store = new TableKeyStore(tables, clock);
    const errors: string[] = [];
    const keys = new IdempotencyKeys(store, { ...silentLogger, error: (_, text) => errors.push(text) });
    const underWay = await claim(keys);
    const { change } = tables;
    tables.change = () => Promise.reject(new Error('ENOSPC'));
    await expect(answer(underWay, REPLY)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    for (const key of ['a', 'b']) {
      await expect(claim(keys, [key])).rejects.toThrow(expect.objectContaining({ code: 'SERVICE_BUSY' }));
    }
    expect(errors).toEqual([expect.stringContaining('cannot be stored')]);
    tables.change = change;
    expect((await claim(keys, ['a'])).kind).toBe('new');
  });

  it('send no response that a repeated request cannot get, because that one has claimed the key', async () => {
    let now = 0;
    const store = new TableKeyStore(new MemoryTables(), { now: () => now });
    const keys = new IdempotencyKeys(store, silentLogger);
    const slow = await claim(keys);
    now = 60_000;
    const repeated = await claim(keys);
    await expect(answer(slow, REPLY)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    await answer(repeated, { ...REPLY, body: '{}' });
    expect(await claim(keys)).toEqual({ kind: 'answered', reply: { ...REPLY, body: '{}' } });
  });

  it('do not reveal responses to readers of the file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'shared.mdb');
    const tables = new LmdbTables(file, silentLogger);
    const keys = new IdempotencyKeys(new TableKeyStore(tables, clock), silentLogger);
    await answer(await claim(keys), { ...REPLY, body: 'private balance of somebody' });
    await tables.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { secret } = digestUse(SCOPE, BODY);
    // A guessed request does not reveal whether it was made.
    const guessed = digestUse(['deposit', 'token', 'guess'], BODY).fingerprint;
    const known = ['private balance', 'x-header', 'application/json', ...SCOPE, secret, guessed];
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      for (const text of known.filter((each) => each.length > 5)) expect(bytes.includes(text)).toBe(false);
    }
  });
});
