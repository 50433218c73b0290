import { describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const METHOD = 'getTokenAccountsByOwner';
const [A, B, C, D] = [
  addressFilledWith(1),
  addressFilledWith(2),
  addressFilledWith(3),
  addressFilledWith(4),
] as const;
const MINT = addressFilledWith(5);
const OTHER_MINT = addressFilledWith(6);
const OWNER = addressFilledWith(7);

function ledgerWithTokens(): FixedLedger {
  const ledger = new FixedLedger();
  const token = { mint: MINT, owner: OWNER };
  ledger.setAccount(MINT, accountWith(mintData({ decimals: 2 })));
  ledger.setAccount(OTHER_MINT, accountWith(mintData({}), TOKEN_2022_PROGRAM));
  ledger.setAccount(C, accountWith(tokenAccountData({ ...token, amount: 150n })));
  ledger.setAccount(A, accountWith(tokenAccountData({ ...token, mint: NATIVE_MINT })));
  ledger.setAccount(B, accountWith(tokenAccountData({ ...token, owner: MINT })));
  ledger.setAccount(D, accountWith(tokenAccountData({ ...token, mint: OTHER_MINT }), TOKEN_2022_PROGRAM));
  return ledger;
}

async function found(filter: object): Promise<string[]> {
  const answer = await callMethod(ledgerWithTokens(), METHOD, OWNER, filter, { encoding: 'base64' });
  return (answer.result as { value: { pubkey: string }[] }).value.map(({ pubkey }) => pubkey);
}

describe(METHOD, () => {
  it('returns the token accounts of a wallet by program or mint, ordered by address bytes', async () => {
    expect(await found({ programId: TOKEN_PROGRAM })).toEqual([A, C]);
    expect(await found({ programId: TOKEN_2022_PROGRAM })).toEqual([D]);
    expect(await found({ mint: MINT })).toEqual([C]);
    expect(await found({ mint: OTHER_MINT })).toEqual([D]);
    expect(await found({ mint: NATIVE_MINT })).toEqual([A]);
  });

  it('returns the slot, and parsed accounts if requested', async () => {
    expect(
      await callMethod(ledgerWithTokens(), METHOD, OWNER, { mint: MINT }, { encoding: 'jsonParsed' }),
    ).toMatchObject({
      result: {
        context: { slot: 4711 },
        value: [
          { pubkey: C, account: { data: { parsed: { info: { tokenAmount: { uiAmountString: '1.5' } } } } } },
        ],
      },
    });
  });

  it('rejects base58, the default, because token accounts are too long for it', async () => {
    expect(await callMethod(ledgerWithTokens(), METHOD, OWNER, { mint: MINT })).toHaveProperty(
      'error.code',
      -32600,
    );
    expect(
      await callMethod(
        ledgerWithTokens(),
        METHOD,
        OWNER,
        { mint: MINT },
        { dataSlice: { offset: 64, length: 8 } },
      ),
    ).toHaveProperty('result.value.0.account.data', encodeBase58(Uint8Array.of(150, 0, 0, 0, 0, 0, 0, 0)));
  });

  it('returns an empty list for a wallet without tokens', async () => {
    expect(await callMethod(ledgerWithTokens(), METHOD, A, { mint: MINT })).toHaveProperty(
      'result.value',
      [],
    );
  });

  const notMint = new FixedLedger();
  notMint.setAccount(MINT, accountWith(mintData({}), SYSTEM_PROGRAM));
  notMint.setAccount(OTHER_MINT, accountWith(new Uint8Array(0)));

  it.each<[string, string]>([
    ['["o"]', '`params` should have at least 2 argument(s)'],
    ['["o",{}]', 'Invalid params: invalid value: map, expected map with a single key.'],
    [
      '["o",{"mint":"m","programId":"p"}]',
      'Invalid params: invalid value: map, expected map with a single key.',
    ],
    ['["o",{"bogus":"m"}]', 'Invalid params: unknown variant `bogus`, expected `mint` or `programId`.'],
    ['["o",{"mint":"m"}]', 'Invalid param: WrongSize'],
    [`["${OWNER}",{"mint":"m"}]`, 'Invalid param: WrongSize'],
    [`["${OWNER}",{"programId":"${SYSTEM_PROGRAM}"}]`, 'Invalid param: unrecognized Token program id'],
    [`["${OWNER}",{"mint":"${OWNER}"}]`, 'Invalid param: could not find mint'],
    [`["${OWNER}",{"mint":"${OTHER_MINT}"}]`, 'Invalid param: Token mint could not be unpacked'],
    [`["${OWNER}",{"mint":"${MINT}"}]`, 'Invalid param: not a Token mint'],
  ])('rejects %s', async (params, message) => {
    expect(JSON.parse(`{${await callForText(notMint, METHOD, params)}}`)).toEqual(
      invalidParamsError(message),
    );
  });

  it('respects minContextSlot', async () => {
    expect(
      await callMethod(ledgerWithTokens(), METHOD, OWNER, { mint: MINT }, { minContextSlot: 4712 }),
    ).toHaveProperty('error.code', -32016);
  });
});
