import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FAUCET_SIGNATURE, FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ADDRESS = addressFilledWith(1);

describe('requestAirdrop', () => {
  it('hands all digits of the lamports to the faucet and answers its signature', async () => {
    const ledger = new FixedLedger();
    const params = `["${ADDRESS}",18446744073709551615,{"commitment":"confirmed"}]`;
    expect(await callForText(ledger, 'requestAirdrop', params)).toBe(`"result":"${FAUCET_SIGNATURE}"`);
    expect(ledger.calls).toEqual([['airdrop', ADDRESS, 18446744073709551615n]]);
  });

  it.each<[string, unknown[], string]>([
    ['an address', ['o', 5], 'Invalid param: WrongSize'],
    ['a blockhash', [ADDRESS, 5, { recentBlockhash: '0' }], 'Invalid param: Invalid'],
  ])('refuses what should be %s', async (_, params, message) => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'requestAirdrop', ...params)).toEqual(invalidParamsError(message));
    expect(ledger.calls).toEqual([]);
  });

  it('answers the limits of the faucet with the code of Agave, and says which it was', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('FAUCET_LIMIT', 'The faucet refuses: too much');
    };
    expect(await callMethod(ledger, 'requestAirdrop', ADDRESS, 5)).toEqual({
      error: { code: -32603, message: 'Internal error: The faucet refuses: too much' },
    });
  });

  it('tells why the faucet refuses', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('INVALID_AMOUNT', 'The faucet gives at most 10 SOL');
    };
    expect(await callMethod(ledger, 'requestAirdrop', ADDRESS, 5)).toEqual(
      invalidParamsError('The faucet gives at most 10 SOL'),
    );
  });
});
