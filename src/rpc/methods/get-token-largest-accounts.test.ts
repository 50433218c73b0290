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

function setHolding(
  ledger: FixedLedger,
  number: number,
  amount: bigint,
  program = TOKEN_PROGRAM,
  mint = MINT,
): void {
  const data = tokenAccountData({ mint, owner: MINT, amount });
  ledger.setAccount(addressFilledWith(number), accountWith(data, program));
}

describe('getTokenLargestAccounts', () => {
  it('returns the accounts of the mint, largest first', async () => {
    const ledger = ledgerWithMint();
    setHolding(ledger, 8, 0n);
    setHolding(ledger, 9, 18446744073709551615n);
    expect(
      await callForText(ledger, 'getTokenLargestAccounts', `["${MINT}",{"commitment":"confirmed"}]`),
    ).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[' +
        `{"address":"${addressFilledWith(9)}","amount":"18446744073709551615","decimals":6,` +
        '"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"},' +
        `{"address":"${addressFilledWith(8)}","amount":"0","decimals":6,"uiAmount":0.0,"uiAmountString":"0"}]}`,
    );
  });

  it('returns 20 accounts of the program that owns the mint', async () => {
    const ledger = ledgerWithMint(TOKEN_2022_PROGRAM);
    for (let number = 10; number < 40; number++)
      setHolding(ledger, number, BigInt(number), number === 39 ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM);
    const answer = await callMethod(ledger, 'getTokenLargestAccounts', MINT);
    const amounts = Array.from({ length: 20 }, (_, at) => expect.objectContaining({ amount: `${38 - at}` }));
    expect(answer).toHaveProperty('result.value', amounts);
  });

  it('returns an empty list for a mint without holders', async () => {
    expect(await callMethod(ledgerWithMint(), 'getTokenLargestAccounts', MINT)).toHaveProperty(
      'result.value',
      [],
    );
  });

  it('needs no account for wrapped SOL', async () => {
    const ledger = new FixedLedger();
    setHolding(ledger, 7, 1n, TOKEN_PROGRAM, NATIVE_MINT);
    expect(await callMethod(ledger, 'getTokenLargestAccounts', NATIVE_MINT)).toHaveProperty(
      'result.value.0.decimals',
      9,
    );
  });

  const notMint = 'Invalid param: Token mint could not be unpacked';

  it.each<[string, FixedLedger, string]>([
    ['no account', new FixedLedger(), 'Invalid param: could not find mint'],
    ['bytes that are not a mint', ledgerWithMint(SYSTEM_PROGRAM, Buffer.alloc(0)), notMint],
    ['an uninitialized mint', ledgerWithMint(TOKEN_PROGRAM, Buffer.alloc(82)), notMint],
    [
      'a token account',
      ledgerWithMint(TOKEN_PROGRAM, tokenAccountData({ mint: MINT, owner: MINT })),
      notMint,
    ],
    ['a mint of another program', ledgerWithMint(SYSTEM_PROGRAM), 'Invalid param: not a Token mint'],
  ])('rejects %s', async (_, ledger, message) => {
    expect(await callMethod(ledger, 'getTokenLargestAccounts', MINT)).toEqual(invalidParamsError(message));
  });

  it('explains an invalid address', async () => {
    expect(await callMethod(new FixedLedger(), 'getTokenLargestAccounts', '0')).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
  });
});
