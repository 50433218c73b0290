import { describe, expect, it } from 'vitest';
import { callForText, callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getInflationRate', () => {
  it('returns zero inflation for this epoch', async () => {
    const ledger = new FixedLedger();
    ledger.head = () => ({ slot: 432_000, blockHeight: 9, blockhash: 'x', lastValidBlockHeight: 159 });
    expect(await callForText(ledger, 'getInflationRate')).toBe(
      '"result":{"epoch":1,"foundation":0.0,"total":0.0,"validator":0.0}',
    );
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getInflationRate', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
