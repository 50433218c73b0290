import { describe, expect, it } from 'vitest';
import { sysvarAccount } from '../../ledger/time/sysvars.ts';
import { RENT_SYSVAR, rentSysvarData } from '../../programs/sysvars.ts';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

const METHOD = 'getMinimumBalanceForRentExemption';

function ledgerWith(rentPerByte: bigint): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(RENT_SYSVAR, sysvarAccount(rentSysvarData(rentPerByte)));
  return ledger;
}

describe(METHOD, () => {
  it.each([
    [0, 890880],
    [50, 1238880],
    [82, 1461600],
    [165, 2039280],
    [10485760, 72981780480],
  ])('returns the cost of %d bytes', async (dataBytes, lamports) => {
    expect(await callForText(ledgerWith(6_960n), METHOD, `[${dataBytes}]`)).toBe(`"result":${lamports}`);
  });

  it('uses the rent of the ledger', async () => {
    expect(await callForText(ledgerWith(5_080n), METHOD, '[165]')).toBe('"result":1488440');
  });

  it.each(['10485761', '18446744073709551615'])(
    'rejects %s bytes, which no account can have',
    async (dataBytes) => {
      expect(await callForText(ledgerWith(6_960n), METHOD, `[${dataBytes}]`)).toBe(
        '"error":{"code":-32600,"message":"Invalid request"}',
      );
    },
  );
});
