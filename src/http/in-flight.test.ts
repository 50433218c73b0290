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

  it('has its limit below that of connections, or nobody could be told to come back', () => {
    expect(new InFlight().max).toBeLessThan(HTTP_LIMITS.connectionsMax);
  });
});
