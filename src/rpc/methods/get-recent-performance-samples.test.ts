import { describe, expect, it } from 'vitest';
import type { LedgerListener } from '../../ledger/ledger-events.ts';
import { silentLogger } from '../../ports/logger.ts';
import { PerformanceSampler } from '../cluster/performance-samples.ts';
import { createDispatcher } from '../dispatcher.ts';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf, recordOf } from '../testing/records.ts';
import { transferWire } from '../testing/transactions.ts';
import { getRecentPerformanceSamples } from './block-methods.ts';

/** A minute is 150 slots. */
const MINUTE = 150;
const record = recordOf(transferWire());

/**
 * A ledger that has a block in each slot and comes to `slot` when told to, and the node that counts on it.
 */
function countFrom(firstSlot: number) {
  const ledger = new FixedLedger();
  let slot = firstSlot;
  ledger.head = () => ({ slot, blockHeight: slot, blockhash: 'x', lastValidBlockHeight: slot + 150 });
  ledger.blocks.set(slot, blockOf(slot));
  ledger.slotsWithBlocks = (from, _to, limit) =>
    Array.from({ length: limit }, (_, index) => from + index).filter((each) => ledger.blocks.has(each));
  const performance = new PerformanceSampler(ledger);
  const dispatch = createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7, performance },
    methods: [getRecentPerformanceSamples],
    batchMax: 1,
    logger: silentLogger,
  });
  const tell: LedgerListener = (event) => ledger.listeners.forEach((listener) => listener(event));
  return {
    ledger,
    /** Advances by a number of slots, with a transaction in every tenth. */
    pass(count: number) {
      for (let passed = 0; passed < count; passed++) {
        slot++;
        ledger.blocks.set(slot, blockOf(slot));
        if (slot % 10 === 0) tell({ kind: 'transaction', slot, record, changes: [] });
      }
    },
    jumpTo: (target: number) => (slot = target),
    async ask(...params: unknown[]): Promise<unknown> {
      const call = { jsonrpc: '2.0', id: 1, method: 'getRecentPerformanceSamples', params };
      return JSON.parse(await dispatch(JSON.stringify(call))).result;
    },
  };
}

const sampleAt = (slot: number): object => ({
  numNonVoteTransactions: 15,
  numSlots: MINUTE,
  numTransactions: 15,
  samplePeriodSecs: 60,
  slot,
});

describe('getRecentPerformanceSamples', () => {
  it('returns complete, finished minutes, newest first', async () => {
    const { pass, ask } = countFrom(5 * MINUTE + 1);
    expect(await ask()).toEqual([]);
    pass(2 * MINUTE);
    expect(await ask()).toEqual([sampleAt(7 * MINUTE - 1)]);
    pass(MINUTE);
    expect(await ask()).toEqual([sampleAt(8 * MINUTE - 1), sampleAt(7 * MINUTE - 1)]);
    expect(await ask(1)).toEqual([sampleAt(8 * MINUTE - 1)]);
    expect(await ask(0)).toEqual([]);
  });

  it('counts the slots with a block per minute, and skips minutes without any', async () => {
    const { pass, jumpTo, ask } = countFrom(MINUTE - 1);
    pass(100);
    jumpTo(4 * MINUTE - 11);
    pass(10);
    expect(await ask()).toEqual([
      { ...sampleAt(4 * MINUTE - 1), numSlots: 10, numTransactions: 1, numNonVoteTransactions: 1 },
      { ...sampleAt(MINUTE + 99), numSlots: 100, numTransactions: 10, numNonVoteTransactions: 10 },
    ]);
  });

  it('stores the last 720', async () => {
    const { pass, ask } = countFrom(0);
    pass(722 * MINUTE);
    expect(await ask(720)).toEqual(
      Array.from({ length: 720 }, (_, index) => sampleAt((722 - index) * MINUTE - 1)),
    );
  });

  it('starts again after the ledger is reset', async () => {
    const { ledger, pass, ask } = countFrom(MINUTE - 1);
    pass(2 * MINUTE);
    expect(await ask()).toHaveLength(2);
    Object.assign(ledger, { genesisHash: 'another' });
    expect(await ask()).toEqual([]);
    pass(2 * MINUTE);
    expect(await ask()).toEqual([sampleAt(5 * MINUTE - 1), sampleAt(4 * MINUTE - 1)]);
  });

  it('is empty if nothing is counted, and accepts a limit of up to 720', async () => {
    const ask = (limit: number): Promise<unknown> =>
      callMethod(new FixedLedger(), 'getRecentPerformanceSamples', limit);
    expect(await ask(720)).toEqual({ result: [] });
    expect(await ask(721)).toEqual(invalidParamsError('Invalid limit; max 720'));
  });
});
