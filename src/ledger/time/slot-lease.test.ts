import { describe, expect, it } from 'vitest';
import { LEASE_SLOTS, SlotLease } from '../writer.ts';

describe('SlotLease', () => {
  it('is always ahead of the slot and renewed when half of it is used', () => {
    const written: number[] = [];
    const lease = new SlotLease(512);
    for (let slot = 512; slot <= 712; slot++) {
      if (lease.cover(slot)) written.push(lease.ceiling);
      expect(lease.ceiling).toBeGreaterThan(slot);
    }
    expect(written).toEqual([545, 578, 611, 644, 677, 710].map((slot) => slot + LEASE_SLOTS));
  });

  it('follows a jump', () => {
    const lease = new SlotLease(536);
    expect(lease.ceiling).toBe(600);
    expect(lease.cover(100_000)).toBe(true);
    expect(lease.ceiling).toBe(100_000 + LEASE_SLOTS);
  });
});
