import { describe, expect, it } from 'vitest';
import {
  type Ledger,
  type SignatureQuery,
  SignatureUnknown,
  type TransactionRecord,
} from '../../ledger/ledger.ts';
import { makeRecord } from '../../ledger/testing/make-record.ts';
import { addressOf } from '../../solana/address.ts';
import { RECORDS_READ_MAX, showHistory } from './shown-history.ts';

const address = addressOf(new Uint8Array(32).fill(1));
const record = makeRecord('any', { slot: 1, index: 0 });

/**
 * Asks for the history of an address with so many transactions, the newest at 0, of which some may be shown.
 */
function* look(
  count: number,
  shown: readonly number[],
  query: Omit<SignatureQuery, 'address'>,
): Iterable<number | null> {
  const records = Array.from({ length: count }, (_, at) => ({ ...record, signature: `${at}` }));
  const source: Pick<Ledger, 'getTransaction' | 'historyOf'> = {
    getTransaction: (signature) => records[Number(signature)] ?? null,
    historyOf: ({ before, limit }) => {
      const from = before === undefined ? 0 : Number(before) + 1;
      return records.slice(from, from + limit);
    },
  };
  const isShown = new Set(shown.map(String));
  const show = (each: TransactionRecord) => (isShown.has(each.signature) ? each : null);
  for (const each of showHistory(source, query, { sources: [address], isPart: () => true, show })) {
    yield each === null ? null : Number(each.signature);
  }
}

const ask = (...history: Parameters<typeof look>): (number | null)[] =>
  [...look(...history)].filter((at) => at !== null);

const BEYOND = RECORDS_READ_MAX + 1_000;

describe('showHistory()', () => {
  it('finds visible transactions behind hidden ones, and ends where the history does', () => {
    expect(ask(3_000, [7, 2_999], { limit: 10 })).toEqual([7, 2_999]);
    expect(ask(3_000, [7, 2_999], { limit: 1 })).toEqual([7]);
    expect(ask(3_000, [7, 2_999], { limit: 1, before: '7' })).toEqual([2_999]);
    expect(ask(3_000, [], { limit: 10 })).toEqual([]);
  });

  it('stops at each transaction, including hidden ones (bug: 4,000 were examined in one go)', () => {
    expect([...look(5, [1, 3], { limit: 2 })]).toEqual([null, 1, null, 3]);
  });

  it('shows the history at the time of the call, and ends where the ledger has dropped it', () => {
    const slots = Array.from({ length: 600 }, (_, at) => 600 - at);
    const records = slots.map((slot) => ({ ...record, slot, signature: `${slot}` }));
    const source: Pick<Ledger, 'getTransaction' | 'historyOf'> = {
      getTransaction: () => null,
      historyOf: ({ before, limit }) => {
        const from =
          before === undefined ? 0 : records.findIndex(({ signature }) => signature === before) + 1;
        if (before !== undefined && from === 0) throw new SignatureUnknown(before);
        return records.slice(from, from + limit);
      },
    };
    const search = { sources: [address], isPart: () => true, show: (each: TransactionRecord) => each };
    const history = showHistory(source, { limit: 1_000 }, search);
    records.unshift({ ...record, slot: 601, signature: '601' });
    expect(Array.from(history, (each) => each?.slot)).toEqual(slots);
    const forgetful = showHistory(source, { limit: 300 }, { ...search, sources: [address, address] });
    records.length = 10;
    expect(Array.from(forgetful, (each) => each?.slot)).toEqual(
      Array.from({ length: 150 }, (_, at) => 601 - at),
    );
  });

  it('does not report a history as empty if only its newest transactions are hidden', () => {
    const refusal = expect.objectContaining({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringMatching(
        /Only 0 of .* are visible to you.*log in as its owner, or pass as `before`/,
      ),
    });
    for (const limit of [1, 1_000]) expect(() => ask(BEYOND, [BEYOND - 1], { limit })).toThrow(refusal);
    expect(ask(BEYOND, [BEYOND - 2, BEYOND - 1], { limit: 10, before: `${BEYOND - 2}` })).toEqual([
      BEYOND - 1,
    ]);
  });

  it('rejects a limit that would give a short page, and names one that works', () => {
    const shown = [5, 6, BEYOND - 1];
    expect(() => ask(BEYOND, shown, { limit: 3 })).toThrow(
      /Only 2 of .* are visible to you.*a limit of 2 and continue/,
    );
    expect(ask(BEYOND, shown, { limit: 2 })).toEqual([5, 6]);
  });
});
