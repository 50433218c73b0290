import { describe, expect, it } from 'vitest';
import { TABLES_ADAPTERS } from '../../stack/testing/tables-adapters.ts';
import { KEY_LIMITS, type KeyLimits, KeyStore, type KeyUse, type KeyVerdict } from './idempotency-keys.ts';

const USE: KeyUse = { place: 'place', fingerprint: 'request' };
const LEASE_MS = 1_000;
const REPLY = Buffer.from([1, 2, 3]);

const useOf = (place: string): KeyUse => ({ place, fingerprint: 'request' });

describe.each(TABLES_ADAPTERS)('keys in %s', (_place, openTables) => {
  function open(limits: Partial<KeyLimits> = {}) {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const store = new KeyStore(openTables(), clock, { ...KEY_LIMITS, ...limits });
    const claim = (use: KeyUse = USE, about = ''): Promise<KeyVerdict> => store.claim(use, about, LEASE_MS);
    const fenceOf = async (use: KeyUse = USE): Promise<number> => {
      const verdict = await claim(use);
      if (verdict.kind !== 'new') throw new Error(`the key is ${verdict.kind}`);
      return verdict.fence;
    };
    const answer = async (use: KeyUse = USE, reply = REPLY): Promise<boolean> =>
      store.settle(use, '', await fenceOf(use), reply);
    const kind = async (use: KeyUse = USE): Promise<string> => (await claim(use)).kind;
    return { store, clock, claim, fenceOf, answer, kind };
  }

  it('give a key to one of several concurrent claims', async () => {
    const { claim } = open();
    const kinds = (await Promise.all(Array.from({ length: 20 }, () => claim()))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'in-use')).toHaveLength(19);
  });

  it('return the response for the same request, and reject another one', async () => {
    const { claim, answer, kind } = open();
    expect(await answer()).toBe(true);
    expect(await claim()).toEqual({ kind: 'answered', reply: REPLY });
    expect(await kind({ ...USE, fingerprint: 'other' })).toBe('reused');
  });

  it('reject another request while the first is in progress', async () => {
    const { fenceOf, kind } = open();
    await fenceOf();
    expect(await kind({ ...USE, fingerprint: 'other' })).toBe('reused');
    expect(await kind()).toBe('in-use');
  });

  it('are unused for another context', async () => {
    const { claim, answer } = open();
    await answer();
    expect((await claim(USE, 'another ledger')).kind).toBe('new');
    expect((await claim()).kind).toBe('answered');
  });

  it('free a released key', async () => {
    const { store, fenceOf, kind } = open();
    await store.release(USE, '', await fenceOf());
    expect(await kind({ ...USE, fingerprint: 'other' })).toBe('new');
  });

  it('free a key after its lease; a late response does not count', async () => {
    const { store, clock, fenceOf, claim } = open();
    const first = await fenceOf();
    clock.nowMs += LEASE_MS;
    const second = await fenceOf();
    expect(second).toBeGreaterThan(first);
    expect(await store.settle(USE, '', first, REPLY)).toBe(false);
    await store.release(USE, '', first);
    expect((await claim()).kind).toBe('in-use');
    expect(await store.settle(USE, '', second, REPLY)).toBe(true);
    expect((await claim()).kind).toBe('answered');
  });

  it('delete a response after a day', async () => {
    const { clock, answer, kind } = open();
    await answer();
    clock.nowMs += KEY_LIMITS.storedMs - 1;
    expect(await kind()).toBe('answered');
    clock.nowMs += 1;
    expect(await kind()).toBe('new');
  });

  it.each<readonly [string, Partial<KeyLimits>]>([
    ['answers', { answersMax: 2 }],
    ['bytes', { bytesMax: 2 * REPLY.length }],
  ])('delete the oldest when there are too many %s', async (_name, limits) => {
    const { answer, kind } = open(limits);
    for (const place of ['a', 'b', 'c']) await answer(useOf(place));
    expect(await kind(useOf('c'))).toBe('answered');
    expect(await kind(useOf('b'))).toBe('answered');
    expect(await kind(useOf('a'))).toBe('new');
  });

  it('delete no request in progress, however many there are', async () => {
    const { answer, fenceOf, kind } = open({ answersMax: 1 });
    await fenceOf(useOf('slow'));
    for (const place of ['a', 'b']) await answer(useOf(place));
    expect(await kind(useOf('slow'))).toBe('in-use');
  });

  it('store no response that exceeds the limit on its own', async () => {
    const { answer, kind } = open({ bytesMax: REPLY.length - 1 });
    await answer();
    expect(await kind()).toBe('new');
  });

  it('store a later response under a key whose earlier one was dropped', async () => {
    const { clock, answer, kind } = open({ storedMs: 10 });
    for (let n = 0; n < 70; n++) await answer(useOf(`${n}`));
    clock.nowMs += 11;
    // With it go the first of those that are too old, and with the next one the rest.
    await answer(useOf('69'));
    expect(await kind(useOf('other'))).toBe('new');
    expect(await kind(useOf('69'))).toBe('answered');
    expect(await kind(useOf('68'))).toBe('new');
  });
});
