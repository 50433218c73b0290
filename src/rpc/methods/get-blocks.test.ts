import { describe, expect, it } from 'vitest';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf } from '../testing/records.ts';

const ledger = new FixedLedger();
// The head is at 4711.
for (const slot of [4000, 4001, 4003, 4710, 4711]) ledger.blocks.set(slot, blockOf(slot));

describe('getBlocks', () => {
  it.each<[unknown[], number[]]>([
    [[4001], [4001, 4003, 4710]],
    [
      [4001, 4003],
      [4001, 4003],
    ],
    [[4001, 4002, { commitment: 'confirmed' }], [4001]],
    [
      [4002, null],
      [4003, 4710],
    ],
    [
      [4002, { commitment: 'confirmed', minContextSlot: 4711 }],
      [4003, 4710],
    ],
    [[4710, 9999], [4710]],
    [[4711, 9999], []],
    [[4003, 4001], []],
    [[5000], []],
    [
      [0, 400_000],
      [4000, 4001, 4003, 4710],
    ],
  ])('returns the finished slots with a block for %j', async (params, slots) => {
    expect(await callMethod(ledger, 'getBlocks', ...params)).toEqual({ result: slots });
  });

  it('returns at most 500,000 slots', async () => {
    const late = new FixedLedger();
    late.head = () => ({ slot: 700_000, blockHeight: 1, blockhash: 'x', lastValidBlockHeight: 1 });
    for (const slot of [500_000, 500_001]) late.blocks.set(slot, blockOf(slot));
    expect(await callMethod(late, 'getBlocks', 0)).toEqual({ result: [500_000] });
    late.lastFinishedSlot = 499_999;
    expect(await callMethod(late, 'getBlocks', 0)).toEqual({ result: [] });
    late.lastFinishedSlot = undefined;
    expect(await callMethod(late, 'getBlocks', 0, 500_001)).toEqual(
      invalidParamsError('Slot range too large; max 500000'),
    );
  });

  it.each<[unknown[], object]>([
    [
      [1, { commitment: 'processed' }],
      invalidParamsError('Method does not support commitment below `confirmed`'),
    ],
    [
      [1, 2, { minContextSlot: 4712 }],
      {
        error: {
          code: -32016,
          message: 'Minimum context slot has not been reached',
          data: { contextSlot: 4711 },
        },
      },
    ],
    [
      [1, 'x'],
      invalidParamsError(
        'Invalid params: data did not match any variant of untagged enum RpcBlocksConfigWrapper.',
      ),
    ],
    [[], invalidParamsError('`params` should have at least 1 argument(s)')],
  ])('rejects %j', async (params, expected) => {
    expect(await callMethod(ledger, 'getBlocks', ...params)).toEqual(expected);
  });
});
