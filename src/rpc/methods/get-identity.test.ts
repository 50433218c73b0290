import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getIdentity', () => {
  it.each([undefined, '[]', 'null'])(
    'returns the address of the node for the parameters %s',
    async (params) => {
      expect(await callForText(new FixedLedger(), 'getIdentity', params)).toBe(
        '"result":{"identity":"ApRFGPcBcvJVKBgzR7mPT6dSCBrAvUSBvAgPV9FX4Eaj"}',
      );
    },
  );

  it('accepts no parameters', async () => {
    expect(await callForText(new FixedLedger(), 'getIdentity', '[null]')).toBe(
      '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Null])"}',
    );
  });
});
