import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getFirstAvailableBlock', () => {
  it('returns the oldest stored slot', async () => {
    const ledger = new FixedLedger();
    ledger.firstKeptSlot = 4500;
    expect(await callMethod(ledger, 'getFirstAvailableBlock')).toEqual({ result: 4500 });
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getFirstAvailableBlock', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
