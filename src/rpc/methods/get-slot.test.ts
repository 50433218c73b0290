import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getSlot', () => {
  it('returns the current slot at processed', async () => {
    const params = '[{"commitment":"processed","minContextSlot":4711}]';
    expect(await callForText(new FixedLedger(), 'getSlot', params)).toBe('"result":4711');
  });

  it.each([
    undefined,
    '[]',
    '[{}]',
    '[{"commitment":"confirmed"}]',
    '[{"commitment":"finalized","minContextSlot":4711}]',
  ])('returns the last finished slot for %s', async (params) => {
    expect(await callForText(new FixedLedger(), 'getSlot', params)).toBe('"result":4710');
  });

  it('rejects requests before minContextSlot', async () => {
    expect(await callForText(new FixedLedger(), 'getSlot', '[{"minContextSlot":4712}]')).toBe(
      '"error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":4711}}',
    );
  });
});
