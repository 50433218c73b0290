import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getBlockHeight', () => {
  it('answers the height of the newest block', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockHeight')).toBe('"result":4700');
  });

  it('heeds minContextSlot', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockHeight', '[{"minContextSlot":9999}]')).toContain(
      '-32016',
    );
  });
});
