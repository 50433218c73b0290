import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../ledger/execution.ts';
import type { Ledger, SignatureQuery } from '../../ledger/ledger.ts';
import { makeRecord } from '../../ledger/testing/make-record.ts';
import { addressOf } from '../../solana/address.ts';
import { RECORDS_READ_MAX, showHistory } from './shown-history.ts';

const address = addressOf(new Uint8Array(32).fill(1));
const record = makeRecord('any', { slot: 1, index: 0 });

/** Asks for the history of an address with so many transactions, the newest at 0, of which some may be shown. */
function ask(count: number, shown: readonly number[], query: Omit<SignatureQuery, 'address'>): number[] {
  const records = Array.from({ length: count }, (_, at) => ({ ...record, signature: `${at}` }));
  const source: Pick<Ledger, 'getTransaction' | 'signaturesFor'> = {
    getTransaction: (signature) => records[Number(signature)] ?? null,
    signaturesFor: ({ before, limit }) => {
      const from = before === undefined ? 0 : Number(before) + 1;
      return records.slice(from, from + limit);
    },
  };
  const isShown = new Set(shown.map(String));
  const show = (each: TransactionRecord) => (isShown.has(each.signature) ? each : null);
  return showHistory(source, query, { sources: [address], isPart: () => true, show }).map(({ signature }) =>
    Number(signature),
  );
}

const BEYOND = RECORDS_READ_MAX + 1_000;

describe('showHistory()', () => {
  it('finds what may be shown behind what may not, and ends where the history does', () => {
    expect(ask(3_000, [7, 2_999], { limit: 10 })).toEqual([7, 2_999]);
    expect(ask(3_000, [7, 2_999], { limit: 1 })).toEqual([7]);
    expect(ask(3_000, [7, 2_999], { limit: 1, before: '7' })).toEqual([2_999]);
    expect(ask(3_000, [], { limit: 10 })).toEqual([]);
  });

  it('takes no history for empty whose newest transactions are all hidden', () => {
    const refusal = expect.objectContaining({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringMatching(/only 0 are yours to see.*log in as its owner, or pass as `before`/),
    });
    for (const limit of [1, 1_000]) expect(() => ask(BEYOND, [BEYOND - 1], { limit })).toThrow(refusal);
    expect(ask(BEYOND, [BEYOND - 2, BEYOND - 1], { limit: 10, before: `${BEYOND - 2}` })).toEqual([
      BEYOND - 1,
    ]);
  });

  it('gives no page that is cut short, but says which would be full', () => {
    const shown = [5, 6, BEYOND - 1];
    expect(() => ask(BEYOND, shown, { limit: 3 })).toThrow(/only 2 are yours to see.*a limit of 2 and go on/);
    expect(ask(BEYOND, shown, { limit: 2 })).toEqual([5, 6]);
  });
});
