import { describe, expect, it } from 'vitest';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf } from '../testing/records.ts';

const ledger = new FixedLedger();
// The head is at 4711.
for (const slot of [4000, 4001, 4003, 4710, 4711]) ledger.blocks.set(slot, blockOf(slot));

describe('getBlocksWithLimit', () => {
  it.each<[unknown[], number[]]>([
    [
      [4001, 2],
      [4001, 4003],
    ],
    [
      [4002, 500_000, { commitment: 'confirmed' }],
      [4003, 4710],
    ],
    [[4000, 0], []],
    [[9000, 5], []],
  ])('returns the finished slots with a block for %j', async (params, slots) => {
    expect(await callMethod(ledger, 'getBlocksWithLimit', ...params)).toEqual({ result: slots });
  });

  it.each<[unknown[], object]>([
    [[1, 500_001], invalidParamsError('Limit too large; max 500000')],
    [
      [1, 1, { commitment: 'processed' }],
      invalidParamsError('Method does not support commitment below `confirmed`'),
    ],
    [
      [1, 1, { minContextSlot: 4712 }],
      { error: expect.objectContaining({ code: -32016, data: { contextSlot: 4711 } }) },
    ],
    [[1], invalidParamsError('`params` should have at least 2 argument(s)')],
  ])('rejects %j', async (params, expected) => {
    expect(await callMethod(ledger, 'getBlocksWithLimit', ...params)).toEqual(expected);
  });
});
