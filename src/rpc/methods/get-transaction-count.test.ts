import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getTransactionCount', () => {
  it('returns the number of all landed transactions', async () => {
    const ledger = new FixedLedger();
    ledger.landedCount = 77;
    expect(await callMethod(ledger, 'getTransactionCount')).toEqual({ result: 77 });
    expect(await callMethod(ledger, 'getTransactionCount', { commitment: 'processed' })).toEqual({
      result: 77,
    });
  });

  it('rejects a future minContextSlot', async () => {
    expect(
      await callMethod(new FixedLedger(), 'getTransactionCount', { minContextSlot: 4712 }),
    ).toMatchObject({
      error: { code: -32016, data: { contextSlot: 4711 } },
    });
  });
});
