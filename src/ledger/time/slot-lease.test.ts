import { describe, expect, it } from 'vitest';
import { LEASE_SLOTS, SlotLease } from './slot-lease.ts';

describe('SlotLease', () => {
  it('is always ahead of the slot and written anew when half of it is used', () => {
    const written: number[] = [];
    const lease = new SlotLease(512 + LEASE_SLOTS, (ceiling) => written.push(ceiling));
    for (let slot = 512; slot <= 712; slot++) {
      lease.cover(slot);
      expect(lease.ceiling).toBeGreaterThan(slot);
    }
    expect(written).toEqual([545, 578, 611, 644, 677, 710].map((slot) => slot + LEASE_SLOTS));
  });

  it('follows a jump', () => {
    const written: number[] = [];
    const lease = new SlotLease(600, (ceiling) => written.push(ceiling));
    lease.cover(100_000);
    expect(written).toEqual([100_000 + LEASE_SLOTS]);
  });
});
