import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getGenesisHash', () => {
  it.each([undefined, '[]', 'null'])(
    'returns the original genesis hash for the parameters %s',
    async (params) => {
      expect(await callForText(new FixedLedger(), 'getGenesisHash', params)).toBe(
        '"result":"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"',
      );
    },
  );

  it('accepts no parameters', async () => {
    expect(await callForText(new FixedLedger(), 'getGenesisHash', '[null]')).toBe(
      '"error":{"code":-32602,"message":"Invalid parameters: No parameters were expected","data":"Array([Null])"}',
    );
  });
});
