import { describe, expect, it } from 'vitest';
import { makeRecord } from '../testing/make-record.ts';
import { History } from './history.ts';
import { MemoryStore } from './memory-store.ts';

const record = makeRecord('history', { slot: 600, index: 0 });

describe('History', () => {
  it('knows a record while it is being written, and afterwards from the store', async () => {
    const store = new MemoryStore();
    const history = new History(store);
    let finish = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      finish = resolve;
    });
    history.add(record, written);
    expect(store.record(record.signature)).toBeNull();
    expect(history.get(record.signature)).toBe(record);
    await store.commit({ slotCeiling: 1, record });
    finish();
    await written;
    expect(history.get(record.signature)).toEqual(record);
  });

  it('does not know what never landed', () => {
    expect(new History(new MemoryStore()).get(record.signature)).toBeNull();
  });
});
