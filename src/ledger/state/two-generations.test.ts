import { describe, expect, it } from 'vitest';
import { TwoGenerations } from './two-generations.ts';

const sized = (limits: { count: number; bytes: number }) => {
  const dropped: string[] = [];
  const cache = new TwoGenerations<string, number>(
    limits,
    (bytes) => bytes,
    (key) => dropped.push(key),
  );
  const put = (key: string, bytes: number) => {
    cache.put(key, bytes);
    cache.makeRoom();
  };
  return { cache, dropped, put };
};

describe('TwoGenerations', () => {
  it('forgets what was not used while so many others came', () => {
    const { cache, dropped, put } = sized({ count: 2, bytes: 100 });
    for (const key of ['a', 'b', 'c', 'd']) put(key, 1);
    expect(cache.get('a')).toBe(1);
    for (const key of ['e', 'f']) put(key, 1);
    expect(dropped).toEqual(['b', 'c']);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, undefined]);
  });

  it('holds no more than twice the bytes, and the newest value', () => {
    const { cache, put } = sized({ count: 100, bytes: 10 });
    for (let n = 0; n < 50; n++) {
      put(`${n}`, 4);
      expect(cache.bytes).toBeLessThanOrEqual(24);
    }
    put('large', 1_000);
    expect(cache.get('large')).toBe(1_000);
    for (let n = 0; n < 6; n++) put(`after ${n}`, 4);
    expect(cache.bytes).toBeLessThanOrEqual(24);
  });

  it('counts what is put again or deleted once', () => {
    const { cache, dropped, put } = sized({ count: 2, bytes: 100 });
    put('a', 5);
    put('a', 7);
    expect([cache.bytes, cache.size]).toEqual([7, 1]);
    for (const key of ['b', 'c']) put(key, 1);
    put('a', 3);
    cache.delete('b');
    expect([cache.bytes, cache.size]).toEqual([4, 2]);
    cache.delete('a');
    expect([cache.bytes, cache.size, dropped]).toEqual([1, 1, []]);
  });
});
