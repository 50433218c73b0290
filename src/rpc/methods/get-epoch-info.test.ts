import { describe, expect, it } from 'vitest';
import { callForText, callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getEpochInfo', () => {
  it('returns the position of the last finished slot in its epoch', async () => {
    expect(await callMethod(new FixedLedger(), 'getEpochInfo')).toMatchObject({
      result: { absoluteSlot: 4710, blockHeight: 4699, slotIndex: 4710 },
    });
  });

  it('returns the position of the current slot at processed', async () => {
    const ledger = new FixedLedger();
    ledger.landedCount = 77;
    expect(await callForText(ledger, 'getEpochInfo', '[{"commitment":"processed"}]')).toBe(
      '"result":{"absoluteSlot":4711,"blockHeight":4700,"epoch":0,"slotIndex":4711,"slotsInEpoch":432000,' +
        '"transactionCount":77}',
    );
  });

  it('counts epochs of 432,000 slots', async () => {
    const ledger = new FixedLedger();
    ledger.head = () => ({ slot: 864_001, blockHeight: 9, blockhash: 'x', lastValidBlockHeight: 159 });
    expect(await callMethod(ledger, 'getEpochInfo')).toMatchObject({
      result: { absoluteSlot: 864_000, blockHeight: 8, epoch: 2, slotIndex: 0 },
    });
  });

  it('rejects a future minContextSlot', async () => {
    expect(await callMethod(new FixedLedger(), 'getEpochInfo', { minContextSlot: 4712 })).toMatchObject({
      error: { code: -32016, data: { contextSlot: 4711 } },
    });
  });
});
