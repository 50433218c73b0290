import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, type Address } from '../solana/address.ts';
import type { TransactionRecord } from './execution.ts';
import { History } from './history.ts';
import { SignatureUnknown } from './ledger.ts';
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
  let finish = (): void => undefined;
  const written = new Promise<void>((resolve) => {
    finish = resolve;
  });
  history.add(record, addresses, written);
  writes.push(async () => {
    await store.commit({ slotCeiling: 1, record, recordAddresses: addresses });
    finish();
    await written;
  });
  return record;
}

const signaturesOf = (records: readonly TransactionRecord[]): string[] =>
  records.map(({ signature }) => signature);

describe('History', () => {
  it('knows a record while it is being written, and afterwards from the store', async () => {
    const record = land(600, 0, [alice]);
    expect(store.record(record.signature)).toBeNull();
    expect(history.get(record.signature)).toBe(record);
    await writes[0]?.();
    expect(history.get(record.signature)).toEqual(record);
  });

  it('does not know what never landed', () => {
    expect(history.get(makeRecord('never', { slot: 1, index: 0 }).signature)).toBeNull();
  });

  it('counts what landed before it was opened, too', async () => {
    land(600, 0, [alice]);
    land(600, 1, [alice]);
    expect(history.count).toBe(2);
    for (const write of writes) await write();
    expect(history.count).toBe(2);
    expect(new History(store).count).toBe(2);
  });

  it('is the same however much of it is written', async () => {
    const landed = [
      land(600, 0, [alice]),
      land(600, 1, [bob]),
      land(600, 2, [alice, bob]),
      land(605, 0, [alice]),
      land(606, 0, [alice]),
    ];
    const [a, b, ab, a605, a606] = signaturesOf(landed) as [string, string, string, string, string];
    for (let written = 0; written <= landed.length; written++) {
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
      await writes[written]?.();
    }
  });

  it('names no record twice that the store has and whose write is not done yet', async () => {
    const record = land(600, 0, [alice]);
    await store.commit({ slotCeiling: 1, record, recordAddresses: [alice] });
    expect(signaturesOf(history.of(600))).toEqual([record.signature]);
    expect(signaturesOf(history.naming({ address: alice, limit: 9 }))).toEqual([record.signature]);
  });

  it('refuses a page bounded by what never landed', () => {
    const { signature } = makeRecord('never', { slot: 1, index: 0 });
    expect(() => history.naming({ address: alice, before: signature, limit: 9 })).toThrow(SignatureUnknown);
    expect(() => history.naming({ address: alice, until: signature, limit: 9 })).toThrow(SignatureUnknown);
  });
});
