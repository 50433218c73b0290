import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ONE = addressFilledWith(1);

/** A ledger in its third epoch. */
const ledger = new FixedLedger();
ledger.head = () => ({ slot: 864_000, blockHeight: 9, blockhash: 'x', lastValidBlockHeight: 159 });

describe('getInflationReward', () => {
  it.each([
    [[[ONE, ONE]], [null, null]],
    [[[]], []],
    [[[ONE], { epoch: 1, commitment: 'confirmed' }], [null]],
    [[[ONE], { epoch: null, minContextSlot: 864_000 }], [null]],
  ])('returns one null per address for %j', async (params, result) => {
    expect(await callMethod(ledger, 'getInflationReward', ...params)).toEqual({ result });
  });

  it('is rejected for an unfinished epoch', async () => {
    expect(await callMethod(ledger, 'getInflationReward', [ONE], { epoch: 2 })).toEqual({
      error: { code: -32004, message: 'Block not available for slot 1296000' },
    });
    expect(
      await callForText(ledger, 'getInflationReward', `[["${ONE}"],{"epoch":9223372036854775807}]`),
    ).toContain('"code":-32004');
  });

  it('rejects invalid addresses, and a future minContextSlot', async () => {
    expect(await callMethod(ledger, 'getInflationReward', ['x'])).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
    expect(await callMethod(ledger, 'getInflationReward', [ONE], { minContextSlot: 864_001 })).toMatchObject({
      error: { code: -32016, data: { contextSlot: 864_000 } },
    });
  });
});
