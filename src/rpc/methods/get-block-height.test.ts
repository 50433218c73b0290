import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getBlockHeight', () => {
  it('returns the height of the last finished block, and at processed that of the current one', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockHeight')).toBe('"result":4699');
    expect(await callForText(new FixedLedger(), 'getBlockHeight', '[{"commitment":"processed"}]')).toBe(
      '"result":4700',
    );
  });

  it('respects minContextSlot', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockHeight', '[{"minContextSlot":9999}]')).toContain(
      '-32016',
    );
  });
});
