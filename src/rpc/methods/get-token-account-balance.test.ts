import { describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData, withExtensions } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ADDRESS = addressFilledWith(1);
const MINT = addressFilledWith(2);
const OWNER = addressFilledWith(3);
const HOLDING = tokenAccountData({ mint: MINT, owner: OWNER, amount: 9999999779500000n });

describe('getTokenAccountBalance', () => {
  it('returns the amount with the decimals of the mint', async () => {
    const ledger = new FixedLedger();
    ledger.setAccount(MINT, accountWith(mintData({ decimals: 6 })));
    ledger.setAccount(ADDRESS, accountWith(HOLDING));
    expect(await callForText(ledger, 'getTokenAccountBalance', `["${ADDRESS}"]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"amount":"9999999779500000","decimals":6,' +
        '"uiAmount":9999999779.5,"uiAmountString":"9999999779.5"}}',
    );
  });

  it('reads accounts of Token-2022, with extensions too', async () => {
    const ledger = new FixedLedger();
    ledger.setAccount(MINT, accountWith(mintData({ decimals: 2 }), TOKEN_2022_PROGRAM));
    const data = withExtensions(HOLDING, 2, [[7, Buffer.alloc(0)]]);
    ledger.setAccount(ADDRESS, accountWith(data, TOKEN_2022_PROGRAM));
    expect(await callMethod(ledger, 'getTokenAccountBalance', ADDRESS)).toHaveProperty(
      'result.value.decimals',
      2,
    );
  });

  it('returns the decimals of wrapped SOL without its mint', async () => {
    const ledger = new FixedLedger();
    const data = tokenAccountData({ mint: NATIVE_MINT, owner: OWNER, amount: 5n, rentExemptReserve: 1n });
    ledger.setAccount(ADDRESS, accountWith(data));
    expect(await callMethod(ledger, 'getTokenAccountBalance', ADDRESS)).toHaveProperty(
      'result.value.uiAmountString',
      '0.000000005',
    );
  });

  it.each<[string, Record<string, ReturnType<typeof accountWith>>, string]>([
    ['no account', {}, 'could not find account'],
    [
      'an account of another program',
      { [ADDRESS]: accountWith(HOLDING, SYSTEM_PROGRAM) },
      'not a Token account',
    ],
    ['a mint', { [ADDRESS]: accountWith(mintData({})) }, 'not a Token account'],
    [
      'an uninitialized account',
      { [ADDRESS]: accountWith(tokenAccountData({ mint: MINT, owner: OWNER, state: 0 })) },
      'not a Token account',
    ],
    ['an account without its mint', { [ADDRESS]: accountWith(HOLDING) }, 'could not find mint'],
    [
      'an account whose mint is not a mint',
      { [ADDRESS]: accountWith(HOLDING), [MINT]: accountWith(HOLDING) },
      'Token mint could not be unpacked',
    ],
  ])('rejects %s', async (_, accounts, text) => {
    const ledger = new FixedLedger();
    for (const [address, account] of Object.entries(accounts)) ledger.setAccount(address, account);
    expect(await callMethod(ledger, 'getTokenAccountBalance', ADDRESS)).toEqual(
      invalidParamsError(`Invalid param: ${text}`),
    );
  });

  it('explains an invalid address', async () => {
    expect(await callMethod(new FixedLedger(), 'getTokenAccountBalance', 'p')).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
