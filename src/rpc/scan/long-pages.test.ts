import { describe, expect, it } from 'vitest';
import type { TransactionRecord } from '../../ledger/ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { createDispatcher } from '../dispatcher.ts';
import { getBlocks, getBlocksWithLimit } from '../methods/block-methods.ts';
import { getSignaturesForAddress } from '../methods/transaction-methods.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { recordOf } from '../testing/records.ts';
import { addressFilledWith, legacyWire } from '../testing/transactions.ts';
import { Scans } from './scans.ts';

const ADDRESS = addressFilledWith(1);
const RECORD = recordOf(legacyWire(ADDRESS, []));
const SLOTS = 10_000;

/** A ledger that had a block in every slot, and notes which records have been taken of it. */
class LongLedger extends FixedLedger {
  taken = 0;
  lastSlot = SLOTS - 1;
  /** A slot that time travel jumped over. */
  gap = -1;
  gathered = 0;
  recordCount = 1_000;

  override finishedSlot(): number {
    return this.lastSlot;
  }

  override slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    this.gathered += 1;
    const slots = Array.from({ length: Math.min(to, this.lastSlot) + 1 }, (_, slot) => slot);
    return slots.filter((slot) => slot >= from && slot !== this.gap).slice(0, limit);
  }

  override countBlocks(from: number, to: number): number {
    return to - from + 1 - (this.gap >= from && this.gap <= to ? 1 : 0);
  }

  override *historyOf(): Iterable<TransactionRecord> {
    for (let slot = this.recordCount; slot > 0; slot--) {
      this.taken += 1;
      yield { ...RECORD, slot };
    }
  }
}

/**
 * Makes a call in turns that are over after one step; `between` is called after each with how many there
 * were.
 */
async function callInTurns(
  ledger: LongLedger,
  call: { readonly method: string; readonly params: readonly unknown[] },
  between: () => void = () => {},
): Promise<{ readonly result: readonly unknown[]; readonly turns: number }> {
  let turns = 0;
  const pause = async (): Promise<void> => {
    turns += 1;
    between();
  };
  const dispatch = createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7 },
    methods: [getBlocks, getBlocksWithLimit, getSignaturesForAddress],
    batchMax: 3,
    logger: silentLogger,
    scans: new Scans({ pause, turnMs: 0 }),
  });
  const text = await dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }));
  return { result: JSON.parse(text).result, turns };
}

describe('a long list', () => {
  it.each([
    ['getBlocks', [0]],
    ['getBlocksWithLimit', [0, SLOTS]],
  ])(
    'of slots is written in turns, with the state at its start: %s %j (bug: it was written in one go)',
    async (method, params) => {
      const ledger = new LongLedger();
      const forget = (): void => void (ledger.lastSlot = 3);
      const { result, turns } = await callInTurns(ledger, { method, params }, forget);
      expect(result).toEqual(Array.from({ length: SLOTS }, (_, slot) => slot));
      expect(turns).toBeGreaterThan(10);
    },
  );

  it('of slots without a gap is not collected first (bug: collecting them was one turn of 50 ms)', async () => {
    const ledger = new LongLedger();
    const { result } = await callInTurns(ledger, { method: 'getBlocks', params: [0] });
    expect([result.length, ledger.gathered]).toEqual([SLOTS, 0]);
  });

  it.each([
    ['getBlocks', [0], SLOTS - 4_000],
    ['getBlocksWithLimit', [0, 5_000], 5_000],
  ])('of slots omits those that are dropped or never existed: %s %j', async (method, params, count) => {
    const ledger = new LongLedger();
    ledger.firstKeptSlot = 3_999;
    ledger.gap = 7_000;
    ledger.slotsWithBlocks = (from, to, limit) =>
      LongLedger.prototype.slotsWithBlocks.call(ledger, Math.max(from, 3_999), to, limit);
    const { result } = await callInTurns(ledger, { method, params });
    const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
    expect(result).toEqual(slots.filter((slot) => slot >= 3_999 && slot !== 7_000).slice(0, count));
    expect(result).toHaveLength(count);
  });

  it('of signatures decodes one transaction at a time (bug: a thousand were decoded in one go)', async () => {
    const ledger = new LongLedger();
    const taken: number[] = [];
    const { result } = await callInTurns(
      ledger,
      { method: 'getSignaturesForAddress', params: [ADDRESS] },
      () => taken.push(ledger.taken),
    );
    expect(result).toHaveLength(1_000);
    const steps = taken.slice(1).map((count, at) => count - (taken[at] as number));
    expect(Math.max(...steps)).toBe(1);
    expect(taken[0]).toBeLessThan(70);
  });

  it.each([
    ['getBlocks', [SLOTS - 300]],
    ['getBlocksWithLimit', [0, 300]],
    ['getSignaturesForAddress', [ADDRESS, { limit: 50 }]],
  ])('that turns out to be short is written at once: %s %j', async (method, params) => {
    const ledger = new LongLedger();
    ledger.recordCount = 50;
    const { result, turns } = await callInTurns(ledger, { method, params });
    expect(result.length).toBeGreaterThanOrEqual(50);
    expect(turns).toBe(0);
  });
});
