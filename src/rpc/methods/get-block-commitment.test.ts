import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getBlockCommitment', () => {
  it('returns no stake', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockCommitment', '[5]')).toBe(
      '"result":{"commitment":null,"totalStake":0}',
    );
  });

  it('requires a slot', async () => {
    expect(await callForText(new FixedLedger(), 'getBlockCommitment', '[]')).toBe(
      '"error":{"code":-32602,"message":"Invalid params: invalid length 0, expected a tuple of size 1."}',
    );
  });
});
