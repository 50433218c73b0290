import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getVersion', () => {
  it.each([undefined, '[]', 'null'])(
    'returns the version and the feature set for the parameters %s',
    async (params) => {
      expect(await callForText(new FixedLedger(), 'getVersion', params)).toBe(
        '"result":{"feature-set":7,"solana-core":"4.2.1"}',
      );
    },
  );

  it('accepts no parameters', async () => {
    expect(await callForText(new FixedLedger(), 'getVersion', '[null]')).toBe(
      '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Null])"}',
    );
  });
});
