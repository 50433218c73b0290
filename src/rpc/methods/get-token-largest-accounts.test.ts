import { describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const MINT = addressFilledWith(2);

function ledgerWithMint(owner = TOKEN_PROGRAM, data = mintData({ decimals: 6 })): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(MINT, accountWith(data, owner));
  return ledger;
}

describe('getTokenLargestAccounts', () => {
  it('answers the holdings of the mint in the order of the ledger', async () => {
    const ledger = ledgerWithMint();
    ledger.holdings = [
      { address: addressFilledWith(9), amount: 18446744073709551615n },
      { address: addressFilledWith(8), amount: 0n },
    ];
    expect(
      await callForText(ledger, 'getTokenLargestAccounts', `["${MINT}",{"commitment":"confirmed"}]`),
    ).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[' +
        `{"address":"${addressFilledWith(9)}","amount":"18446744073709551615","decimals":6,` +
        '"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"},' +
        `{"address":"${addressFilledWith(8)}","amount":"0","decimals":6,"uiAmount":0.0,"uiAmountString":"0"}]}`,
    );
  });

  it('asks for 20 accounts of the program that owns the mint', async () => {
    const ledger = ledgerWithMint(TOKEN_2022_PROGRAM);
    await callMethod(ledger, 'getTokenLargestAccounts', MINT);
    expect(ledger.calls).toEqual([['largestTokenAccounts', MINT, TOKEN_2022_PROGRAM, 20]]);
  });

  it('answers an empty list for a mint no one holds', async () => {
    expect(await callMethod(ledgerWithMint(), 'getTokenLargestAccounts', MINT)).toHaveProperty(
      'result.value',
      [],
    );
  });

  it('needs no account for wrapped SOL', async () => {
    const ledger = new FixedLedger();
    ledger.holdings = [{ address: MINT, amount: 1n }];
    expect(await callMethod(ledger, 'getTokenLargestAccounts', NATIVE_MINT)).toHaveProperty(
      'result.value.0.decimals',
      9,
    );
    expect(ledger.calls).toEqual([['largestTokenAccounts', NATIVE_MINT, TOKEN_PROGRAM, 20]]);
  });

  const notMint = 'Invalid param: Token mint could not be unpacked';

  it.each<[string, FixedLedger, string]>([
    ['no account', new FixedLedger(), 'Invalid param: could not find mint'],
    ['bytes that are no mint', ledgerWithMint(SYSTEM_PROGRAM, Buffer.alloc(0)), notMint],
    ['a mint that is not initialised', ledgerWithMint(TOKEN_PROGRAM, Buffer.alloc(82)), notMint],
    [
      'a token account',
      ledgerWithMint(TOKEN_PROGRAM, tokenAccountData({ mint: MINT, owner: MINT })),
      notMint,
    ],
    ['a mint of another program', ledgerWithMint(SYSTEM_PROGRAM), 'Invalid param: not a Token mint'],
  ])('refuses %s', async (_, ledger, message) => {
    expect(await callMethod(ledger, 'getTokenLargestAccounts', MINT)).toEqual(invalidParamsError(message));
  });

  it('names what is wrong with the address', async () => {
    expect(await callMethod(new FixedLedger(), 'getTokenLargestAccounts', '0')).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
  });
});
