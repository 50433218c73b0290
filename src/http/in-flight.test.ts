import { describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';
import { HTTP_LIMITS } from './limits.ts';

describe('InFlight', () => {
  it('lets in as many as it may, counts those it turns away, and has room again when one leaves', () => {
    const inFlight = new InFlight(2);
    expect([inFlight.tryEnter(), inFlight.tryEnter(), inFlight.tryEnter()]).toEqual([true, true, false]);
    expect([inFlight.count, inFlight.refused]).toEqual([2, 1]);
    inFlight.leave();
    expect(inFlight.tryEnter()).toBe(true);
    expect([inFlight.count, inFlight.refused]).toEqual([2, 1]);
  });

  it('lets nobody in while too many bytes of answers wait for their clients', () => {
    const inFlight = new InFlight(9, { queuedBytesMax: 10 });
    inFlight.queue(9);
    expect(inFlight.tryEnter()).toBe(true);
    inFlight.queue(1);
    expect([inFlight.tryEnter(), inFlight.queuedBytes, inFlight.refused]).toEqual([false, 10, 1]);
    inFlight.unqueue(1);
    expect(inFlight.tryEnter()).toBe(true);
  });

  it('has its limit below that of connections, or nobody could be told to come back', () => {
    expect(new InFlight().max).toBeLessThan(HTTP_LIMITS.connectionsMax);
  });
});
