import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getMaxShredInsertSlot', () => {
  it('returns the current slot', async () => {
    expect(await callMethod(new FixedLedger(), 'getMaxShredInsertSlot')).toEqual({ result: 4711 });
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getMaxShredInsertSlot', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
