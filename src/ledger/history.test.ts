import { beforeEach, describe, expect, it } from 'vitest';
import { type Address, addressOf } from '../solana/address.ts';
import { History } from './history.ts';
import { SignatureUnknown, type TransactionRecord } from './ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import { makeRecord } from './testing/make-record.ts';
import { SeededRandom } from './testing/seeded-random.ts';

const random = new SeededRandom('history');
const alice = addressOf(random.bytes(32));
const bob = addressOf(random.bytes(32));

let store: MemoryStore;
let history: History;
/** Lets the store take what was landed, one transaction after another. */
let writes: (() => Promise<void>)[];
beforeEach(() => {
  store = new MemoryStore();
  history = new History(store);
  writes = [];
});

function land(slot: number, index: number, addresses: readonly Address[]): TransactionRecord {
  const record = makeRecord(`history ${slot} ${index}`, { slot, index });
  history.add(slot);
  writes.push(() => store.commit({ slotCeiling: 1, record, recordAddresses: addresses }));
  return record;
}

const signaturesOf = (records: Iterable<TransactionRecord>): string[] =>
  Array.from(records, ({ signature }) => signature);

describe('History', () => {
  it('has no record before it is durable, because a crash would undo it', async () => {
    const record = land(600, 0, [alice]);
    expect(history.get(record.signature)).toBeNull();
    expect(history.of(600)).toEqual([]);
    expect([...history.naming({ address: alice, limit: 9 })]).toEqual([]);
    expect(history.count).toBe(0);
    await writes[0]?.();
    expect(history.get(record.signature)).toEqual(record);
    expect(history.of(600)).toEqual([record]);
    expect([...history.naming({ address: alice, limit: 9 })]).toEqual([record]);
    expect(history.count).toBe(1);
  });

  it('has no record of a transaction that never landed', () => {
    expect(history.get(makeRecord('never', { slot: 1, index: 0 }).signature)).toBeNull();
  });

  it('returns the oldest slot with a transaction that is not durable', async () => {
    expect(history.oldestUnwrittenSlot).toBe(Infinity);
    for (const [slot, index] of [
      [600, 0],
      [600, 1],
      [605, 0],
    ] as const) {
      land(slot, index, [alice]);
    }
    const oldest = [history.oldestUnwrittenSlot];
    for (const write of writes) {
      await write();
      oldest.push(history.oldestUnwrittenSlot);
    }
    expect(oldest).toEqual([600, 600, 605, Infinity]);
    land(606, 0, [alice]);
    expect(history.oldestUnwrittenSlot).toBe(606);
    expect(new History(store).oldestUnwrittenSlot).toBe(Infinity);
  });

  it('pages through what names an address', async () => {
    const landed = [
      land(600, 0, [alice]),
      land(600, 1, [bob]),
      land(600, 2, [alice, bob]),
      land(605, 0, [alice]),
      land(606, 0, [alice]),
    ];
    for (const write of writes) await write();
    const [a, b, ab, a605, a606] = signaturesOf(landed) as [string, string, string, string, string];
    expect(signaturesOf(history.of(600))).toEqual([a, b, ab]);
    expect(signaturesOf(history.of(601))).toEqual([]);
    const page = (query: { before?: string; until?: string; limit?: number }): string[] =>
      signaturesOf(history.naming({ address: alice, limit: 1_000, ...query }));
    expect(page({})).toEqual([a606, a605, ab, a]);
    expect(page({ limit: 2 })).toEqual([a606, a605]);
    expect(page({ before: a605 })).toEqual([ab, a]);
    expect(page({ before: a605, limit: 1 })).toEqual([ab]);
    expect(page({ until: ab })).toEqual([a606, a605]);
    expect(page({ before: a606, until: a })).toEqual([a605, ab]);
    expect(page({ until: a606 })).toEqual([]);
    expect(signaturesOf(history.naming({ address: bob, limit: 9 }))).toEqual([ab, b]);
  });

  it('rejects a page bounded by a transaction that never landed', () => {
    const { signature } = makeRecord('never', { slot: 1, index: 0 });
    expect(() => history.naming({ address: alice, before: signature, limit: 9 })).toThrow(SignatureUnknown);
    expect(() => history.naming({ address: alice, until: signature, limit: 9 })).toThrow(SignatureUnknown);
  });
});
