import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const METHOD = 'getTokenAccountsByDelegate';
const [A, B, C] = [addressFilledWith(1), addressFilledWith(2), addressFilledWith(3)] as const;
const MINT = addressFilledWith(5);
const DELEGATE = addressFilledWith(6);

const ledger = new FixedLedger();
ledger.setAccount(MINT, accountWith(mintData({ decimals: 0 })));
const token = { mint: MINT, owner: MINT, delegate: DELEGATE, delegatedAmount: 3n };
ledger.setAccount(C, accountWith(tokenAccountData(token)));
ledger.setAccount(A, accountWith(tokenAccountData({ ...token, mint: DELEGATE })));
ledger.setAccount(B, accountWith(tokenAccountData({ mint: MINT, owner: DELEGATE })));

describe(METHOD, () => {
  it('returns the accounts a delegate may spend from', async () => {
    const config = { encoding: 'jsonParsed' };
    expect(await callMethod(ledger, METHOD, DELEGATE, { mint: MINT }, config)).toMatchObject({
      result: {
        value: [{ pubkey: C, account: { data: { parsed: { info: { delegatedAmount: { amount: '3' } } } } } }],
      },
    });
  });

  it('returns all accounts of a token program', async () => {
    const { result } = await callMethod(
      ledger,
      METHOD,
      DELEGATE,
      { programId: TOKEN_PROGRAM },
      { encoding: 'base64' },
    );
    expect(result).toMatchObject({ value: [{ pubkey: A }, { pubkey: C }] });
  });

  it('does not treat a wallet as a delegate', async () => {
    expect(await callMethod(ledger, METHOD, MINT, { mint: MINT })).toHaveProperty('result.value', []);
  });

  it('explains an invalid delegate', async () => {
    expect(await callMethod(ledger, METHOD, '0', { mint: MINT })).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
  });
});
