import { describe, expect, it } from 'vitest';
import { HandTime } from '../testing/hand-time.ts';
import { ExpiringValue } from './rpc-rollup.ts';

describe('ExpiringValue', () => {
  it('reads once for callers at the same time, and again when the value is too old', async () => {
    const time = new HandTime();
    let reads = 0;
    const value = new ExpiringValue(time, 1_000, () => Promise.resolve(++reads));
    expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
    await time.pass(1_000);
    expect(await value.get()).toBe(1);
    await time.pass(1);
    expect(await value.get()).toBe(2);
  });

  it('does not cache failures', async () => {
    let reads = 0;
    const value = new ExpiringValue(new HandTime(), 1_000, () =>
      ++reads === 1 ? Promise.reject(new Error('down')) : Promise.resolve('up'),
    );
    await expect(Promise.all([value.get(), value.get()])).rejects.toThrow('down');
    expect(reads).toBe(1);
    expect(await value.get()).toBe('up');
  });
});
