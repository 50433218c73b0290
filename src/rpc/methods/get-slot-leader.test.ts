import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getSlotLeader', () => {
  it('returns this node', async () => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'getSlotLeader')).toEqual({ result: ledger.identity });
  });

  it('rejects a future minContextSlot', async () => {
    expect(await callMethod(new FixedLedger(), 'getSlotLeader', { minContextSlot: 4712 })).toMatchObject({
      error: { code: -32016, data: { contextSlot: 4711 } },
    });
  });
});
