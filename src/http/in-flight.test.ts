import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';
import { HTTP_LIMITS } from './limits.ts';

describe('InFlight', () => {
  it('admits up to its limit, counts rejections, and has room when one leaves', () => {
    const inFlight = new InFlight(2);
    expect([inFlight.tryEnter('a'), inFlight.tryEnter('a'), inFlight.tryEnter('a')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([inFlight.count, inFlight.refused]).toEqual([2, 1]);
    inFlight.leave('a');
    expect(inFlight.tryEnter('a')).toBe(true);
    expect([inFlight.count, inFlight.refused]).toEqual([2, 1]);
  });

  it('admits no request while too many response bytes are queued', () => {
    const inFlight = new InFlight(9, { queuedBytesMax: 10 });
    inFlight.queue('a', 9);
    expect(inFlight.tryEnter('a')).toBe(true);
    inFlight.queue('a', 1);
    expect([inFlight.tryEnter('a'), inFlight.queuedBytes, inFlight.refused]).toEqual([false, 10, 1]);
    inFlight.unqueue('a', 1);
    expect(inFlight.tryEnter('a')).toBe(true);
  });

  it('has room for a new client if another took all places (bug: it was rejected)', () => {
    const inFlight = new InFlight(4, { queuedBytesMax: 8 });
    for (let count = 0; count < 4; count++) expect(inFlight.tryEnter('noisy')).toBe(true);
    inFlight.queue('noisy', 8);
    expect([inFlight.tryEnter('noisy'), inFlight.tryEnter('quiet'), inFlight.refused]).toEqual([
      false,
      true,
      1,
    ]);
  });

  it('has a lower limit than connections, so that clients still get a response', () => {
    expect(new InFlight().max).toBeLessThan(HTTP_LIMITS.connectionsMax);
  });
});
