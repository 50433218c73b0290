import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

const METHOD = 'getMinimumBalanceForRentExemption';

describe(METHOD, () => {
  it.each([
    [0, 890880],
    [50, 1238880],
    [82, 1461600],
    [165, 2039280],
    [10485760, 72981780480],
  ])('answers what %d bytes cost', async (dataBytes, lamports) => {
    expect(await callForText(new FixedLedger(), METHOD, `[${dataBytes}]`)).toBe(`"result":${lamports}`);
  });

  it.each(['10485761', '18446744073709551615'])(
    'refuses %s bytes, which no account can have',
    async (dataBytes) => {
      expect(await callForText(new FixedLedger(), METHOD, `[${dataBytes}]`)).toBe(
        '"error":{"code":-32600,"message":"Invalid request"}',
      );
    },
  );
});
