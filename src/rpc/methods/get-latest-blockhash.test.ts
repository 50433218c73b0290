import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FIXED_HEAD, FixedLedger } from '../testing/fixed-ledger.ts';

describe('getLatestBlockhash', () => {
  it('returns the hash and the last valid block height', async () => {
    expect(await callForText(new FixedLedger(), 'getLatestBlockhash', '[{"commitment":"confirmed"}]')).toBe(
      `"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"blockhash":"${FIXED_HEAD.blockhash}","lastValidBlockHeight":4850}}`,
    );
  });

  it('respects minContextSlot', async () => {
    const params = '[{"minContextSlot":4712}]';
    expect(await callForText(new FixedLedger(), 'getLatestBlockhash', params)).toContain('-32016');
  });
});
