import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../ledger/ledger.ts';
import { makeRecord } from '../../ledger/testing/make-record.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { newestRecords } from './shown-history.ts';

const [ONE, OTHER] = [1, 2].map((byte) => addressOf(new Uint8Array(32).fill(byte))) as [Address, Address];

/** A ledger that lists transactions by their slots, the newest first. */
function listing(slots: ReadonlyMap<Address, readonly number[]>): Pick<Ledger, 'historyOf'> {
  return {
    historyOf: ({ address, before, limit }) =>
      (slots.get(address) ?? [])
        .filter((slot) => before === undefined || slot < Number(before))
        .slice(0, limit)
        .map((slot) => ({ ...makeRecord('any', { slot, index: 0 }), signature: `${slot}` })),
  };
}

describe('newestRecords()', () => {
  it('merges several lists page by page, and returns duplicates once', () => {
    const ledger = listing(
      new Map([
        [ONE, [9, 8, 7, 3, 2, 1]],
        [OTHER, [10, 8, 5, 4, 2]],
      ]),
    );
    for (const limit of [1, 2, 3, 100]) {
      const slots = Array.from(newestRecords(ledger, [ONE, OTHER], { limit }), ({ slot }) => slot);
      expect(slots, `${limit} at once`).toEqual([10, 9, 8, 7, 5, 4, 3, 2, 1]);
    }
    expect([...newestRecords(ledger, [addressOf(new Uint8Array(32))], { limit: 2 })]).toEqual([]);
  });
});
