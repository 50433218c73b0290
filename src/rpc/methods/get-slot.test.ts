import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getSlot', () => {
  it.each([undefined, '[]', '[{}]', '[{"commitment":"processed","minContextSlot":4711}]'])(
    'answers the newest slot for %s',
    async (params) => {
      expect(await callForText(new FixedLedger(), 'getSlot', params)).toBe('"result":4711');
    },
  );

  it('refuses to answer from before minContextSlot', async () => {
    expect(await callForText(new FixedLedger(), 'getSlot', '[{"minContextSlot":4712}]')).toBe(
      '"error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":4711}}',
    );
  });
});
