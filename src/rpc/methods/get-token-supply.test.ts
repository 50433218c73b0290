import { describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const MINT = addressFilledWith(2);

function ledgerWith(data: Uint8Array, owner = TOKEN_PROGRAM): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(MINT, accountWith(data, owner));
  return ledger;
}

describe('getTokenSupply', () => {
  it('returns the supply of a mint', async () => {
    const ledger = ledgerWith(mintData({ supply: 18446744073709551615n, decimals: 6 }));
    expect(await callForText(ledger, 'getTokenSupply', `["${MINT}",{"commitment":"confirmed"}]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"amount":"18446744073709551615",' +
        '"decimals":6,"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"}}',
    );
  });

  it.each<[string, FixedLedger, string]>([
    ['no account', new FixedLedger(), 'could not find account'],
    ['a mint of another program', ledgerWith(mintData({}), SYSTEM_PROGRAM), 'not a Token mint'],
    [
      'a token account',
      ledgerWith(tokenAccountData({ mint: MINT, owner: MINT })),
      'mint could not be unpacked',
    ],
    ['an uninitialized mint', ledgerWith(Buffer.alloc(82)), 'mint could not be unpacked'],
  ])('rejects %s', async (_, ledger, text) => {
    expect(await callMethod(ledger, 'getTokenSupply', MINT)).toEqual(
      invalidParamsError(`Invalid param: ${text}`),
    );
  });

  it('needs the account of the native mint, unlike other methods', async () => {
    expect(await callMethod(new FixedLedger(), 'getTokenSupply', NATIVE_MINT)).toEqual(
      invalidParamsError('Invalid param: could not find account'),
    );
  });

  it('has a strict config and explains an invalid address', async () => {
    expect(await callMethod(new FixedLedger(), 'getTokenSupply', MINT, {})).toEqual(
      invalidParamsError('Invalid params: missing field `commitment`.'),
    );
    expect(await callMethod(new FixedLedger(), 'getTokenSupply', 'p')).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
