import { describe, expect, it } from 'vitest';
import { HandTime } from '../testing/hand-time.ts';
import { UrlHealth } from './upstream.ts';

function open(urlCount: number) {
  const time = new HandTime();
  const health = new UrlHealth(urlCount, time);
  return { time, health, read: () => health.route(true).order, send: () => health.route(false).order };
}

describe('UrlHealth', () => {
  it('moves a failed URL to the end until it answers', async () => {
    const { time, health, read } = open(3);
    expect(read()).toEqual([0, 1, 2]);
    health.rest(0, 2_000);
    health.rest(1, 1_000);
    expect(read()).toEqual([2, 1, 0]);
    await time.pass(1_000);
    expect(read()).toEqual([1, 2, 0]);
    health.recover(1);
    expect(read()).toEqual([1, 2, 0]);
    health.recover(0);
    expect(read()).toEqual([0, 1, 2]);
  });

  it('probes it with one call at a time, and never with a call that must not be repeated', async () => {
    const { time, health, read, send } = open(2);
    health.rest(0, 1_000);
    await time.pass(1_000);
    expect(send()).toEqual([1, 0]);
    expect(health.route(true)).toEqual({ order: [0, 1], isProbe: true });
    expect(health.route(true)).toEqual({ order: [1, 0], isProbe: false });
    health.rest(0, 1_000);
    expect(read()).toEqual([1, 0]);
    await time.pass(1_000);
    expect([read(), read(), send()]).toEqual([
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
    health.recover(0);
    expect(send()).toEqual([0, 1]);
  });

  it('starts with the one whose rest ends first if none is healthy', async () => {
    const { time, health, read, send } = open(2);
    health.rest(0, 2_000);
    health.rest(1, 1_000);
    expect([read(), send()]).toEqual([
      [1, 0],
      [1, 0],
    ]);
    await time.pass(2_000);
    expect([read(), read()]).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('tries the given URL last, unless the others are unhealthy', () => {
    const { health } = open(3);
    expect(health.route(true, 0).order).toEqual([1, 2, 0]);
    health.rest(1, 1_000);
    expect(health.route(true, 2).order).toEqual([0, 2, 1]);
  });
});
