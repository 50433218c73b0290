import { describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { uiTokenAmount, wholeTokens, writeUiTokenAmount } from './token-amount.ts';

describe('uiTokenAmount()', () => {
  it.each<[bigint, number, string]>([
    [
      9999999779500000n,
      6,
      '{"amount":"9999999779500000","decimals":6,"uiAmount":9999999779.5,"uiAmountString":"9999999779.5"}',
    ],
    [42n, 2, '{"amount":"42","decimals":2,"uiAmount":0.42,"uiAmountString":"0.42"}'],
    [0n, 6, '{"amount":"0","decimals":6,"uiAmount":0.0,"uiAmountString":"0"}'],
    [12000000n, 6, '{"amount":"12000000","decimals":6,"uiAmount":12.0,"uiAmountString":"12"}'],
    [100n, 0, '{"amount":"100","decimals":0,"uiAmount":100.0,"uiAmountString":"100"}'],
    [
      18446744073709551615n,
      0,
      '{"amount":"18446744073709551615","decimals":0,"uiAmount":1.8446744073709552e+19,"uiAmountString":"18446744073709551615"}',
    ],
    [1n, 19, '{"amount":"1","decimals":19,"uiAmount":1e-19,"uiAmountString":"0.0000000000000000001"}'],
    [1n, 20, '{"amount":"1","decimals":20,"uiAmount":null,"uiAmountString":"0.00000000000000000001"}'],
  ])('shows %d with %d decimals', (amount, decimals, text) => {
    expect(writeJson(uiTokenAmount(amount, decimals))).toBe(text);
    expect(writeUiTokenAmount(amount, decimals)).toBe(text);
  });

  it('divides by an exact power of ten for up to 19 decimals', () => {
    for (let decimals = 0; decimals < 20; decimals++) {
      expect(10 ** decimals).toBe(Number(10n ** BigInt(decimals)));
    }
  });

  it('keeps significant zeros', () => {
    expect(wholeTokens(1001000n, 3)).toBe('1001');
    expect(wholeTokens(100n, 255)).toBe(`0.${'0'.repeat(252)}1`);
  });
});
