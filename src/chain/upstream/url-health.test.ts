import { describe, expect, it } from 'vitest';
import { HandTime } from '../testing/hand-time.ts';
import { UrlHealth } from './url-health.ts';

describe('UrlHealth', () => {
  it('puts what failed at the end until its rest is over, or it answers', async () => {
    const time = new HandTime();
    const health = new UrlHealth(3, time);
    expect(health.order()).toEqual([0, 1, 2]);
    health.rest(0, 2_000);
    health.rest(1, 1_000);
    expect(health.order()).toEqual([2, 1, 0]);
    await time.pass(1_000);
    expect(health.order()).toEqual([1, 2, 0]);
    health.recover(0);
    expect(health.order()).toEqual([0, 1, 2]);
  });
});
