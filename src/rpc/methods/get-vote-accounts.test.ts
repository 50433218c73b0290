import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getVoteAccounts', () => {
  it.each([
    undefined,
    '[null]',
    '[{"keepUnstakedDelinquents":true,"delinquentSlotDistance":5,"commitment":"confirmed"}]',
    '[{"votePubkey":"11111111111111111111111111111111"}]',
  ])('answers %s that nobody votes', async (params) => {
    expect(await callForText(new FixedLedger(), 'getVoteAccounts', params)).toBe(
      '"result":{"current":[],"delinquent":[]}',
    );
  });

  it('refuses a vote account that is no address', async () => {
    expect(await callMethod(new FixedLedger(), 'getVoteAccounts', { votePubkey: 'x' })).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
