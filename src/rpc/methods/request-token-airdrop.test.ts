import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FAUCET_SIGNATURE, FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const OWNER = addressFilledWith(1);
const MINT = addressFilledWith(2);

describe('requestTokenAirdrop', () => {
  it.each(['18446744073709551615', '"18446744073709551615"'])('accepts the amount %s', async (amount) => {
    const ledger = new FixedLedger();
    expect(await callForText(ledger, 'requestTokenAirdrop', `["${OWNER}","${MINT}",${amount}]`)).toBe(
      `"result":"${FAUCET_SIGNATURE}"`,
    );
    expect(ledger.calls).toEqual([['airdropTokens', OWNER, MINT, 18446744073709551615n]]);
  });

  it.each<[unknown[], string]>([
    [[OWNER, MINT], '`params` should have at least 3 argument(s)'],
    [['o', MINT, 1], 'Invalid param: WrongSize'],
    [[OWNER, '0', 1], 'Invalid param: Invalid'],
    [
      [OWNER, MINT, '1.5'],
      'Invalid params: invalid type: string "1.5", expected u64 as an integer or a decimal string.',
    ],
    [
      [OWNER, MINT, -1],
      'Invalid params: invalid value: integer `-1`, expected u64 as an integer or a decimal string.',
    ],
  ])('rejects the parameters %j', async (params, message) => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'requestTokenAirdrop', ...params)).toEqual(invalidParamsError(message));
    expect(ledger.calls).toEqual([]);
  });

  it('says why the faucet rejects', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('MINT_NOT_FOUND', 'There is no mint at this address');
    };
    expect(await callMethod(ledger, 'requestTokenAirdrop', OWNER, MINT, 1)).toEqual(
      invalidParamsError('There is no mint at this address'),
    );
  });
});
