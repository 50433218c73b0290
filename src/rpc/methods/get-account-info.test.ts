import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ADDRESS = addressFilledWith(1);
const MINT = addressFilledWith(2);
const OWNER = addressFilledWith(3);

function ledgerWith(data: Uint8Array, owner = SYSTEM_PROGRAM): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(ADDRESS, accountWith(data, owner));
  return ledger;
}

/** The `data` member of the account in the answer. */
async function dataOf(ledger: FixedLedger, config?: object): Promise<unknown> {
  const { result } = await callMethod(ledger, 'getAccountInfo', ADDRESS, config ?? null);
  return (result as { value: { data: unknown } }).value.data;
}

describe('getAccountInfo', () => {
  it('returns the whole account, with all digits of its rent epoch and data in base58', async () => {
    const ledger = ledgerWith(Buffer.from('test data'));
    expect(await callForText(ledger, 'getAccountInfo', `["${ADDRESS}"]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"data":"2Uw1bpnsXxu3e","executable":false,' +
        '"lamports":2039280,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":9}}',
    );
  });

  it('returns null for a missing account', async () => {
    expect(await callMethod(new FixedLedger(), 'getAccountInfo', ADDRESS)).toEqual({
      result: { context: { apiVersion: '4.2.1', slot: 4711 }, value: null },
    });
  });

  it.each<[string, unknown]>([
    ['binary', '2Uw1bpnsXxu3e'],
    ['base58', ['2Uw1bpnsXxu3e', 'base58']],
    ['base64', ['dGVzdCBkYXRh', 'base64']],
    ['base64+zstd', ['KLUv/QBYSQAAdGVzdCBkYXRh', 'base64+zstd']],
    ['jsonParsed', ['dGVzdCBkYXRh', 'base64']],
  ])('shows data in %s', async (encoding, data) => {
    expect(await dataOf(ledgerWith(Buffer.from('test data')), { encoding })).toEqual(data);
  });

  it.each([
    [{ offset: 5, length: 4 }, 'data'],
    [{ offset: 5, length: 400 }, 'data'],
    [{ offset: 9, length: 1 }, ''],
    [{ offset: 0, length: 0 }, ''],
  ])('shows the slice %j and the size of all data', async (dataSlice, text) => {
    const ledger = ledgerWith(Buffer.from('test data'));
    const { result } = await callMethod(ledger, 'getAccountInfo', ADDRESS, { encoding: 'base64', dataSlice });
    expect(result).toHaveProperty('value.data', [Buffer.from(text).toString('base64'), 'base64']);
    expect(result).toHaveProperty('value.space', 9);
  });

  it('treats a slice far beyond the data as empty', async () => {
    const params = `["${ADDRESS}",{"encoding":"base64","dataSlice":{"offset":18446744073709551615,"length":18446744073709551615}}]`;
    expect(await callForText(ledgerWith(Buffer.from('x')), 'getAccountInfo', params)).toContain(
      '"data":["","base64"]',
    );
  });

  it('rejects base58 for more than 128 bytes, unless a slice makes it shorter', async () => {
    const error = {
      code: -32600,
      message: 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    };
    const ledger = ledgerWith(Buffer.alloc(129));
    expect(await callMethod(ledger, 'getAccountInfo', ADDRESS)).toEqual({ error });
    expect(await callMethod(ledger, 'getAccountInfo', ADDRESS, { encoding: 'base58' })).toEqual({ error });
    expect(await dataOf(ledger, { dataSlice: { offset: 0, length: 128 } })).toBe('1'.repeat(128));
  });

  it('parses a token account with the decimals of its mint and ignores the slice', async () => {
    const ledger = new FixedLedger();
    ledger.setAccount(MINT, accountWith(mintData({ decimals: 6 })));
    ledger.setAccount(
      ADDRESS,
      accountWith(tokenAccountData({ mint: MINT, owner: OWNER, amount: 1_500_000n })),
    );
    expect(await dataOf(ledger, { encoding: 'jsonParsed', dataSlice: { offset: 0, length: 1 } })).toEqual({
      parsed: {
        info: {
          isNative: false,
          mint: MINT,
          owner: OWNER,
          state: 'initialized',
          tokenAmount: { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' },
        },
        type: 'account',
      },
      program: 'spl-token',
      space: 165,
    });
  });

  it('returns base64 for a token account without a mint', async () => {
    const data = tokenAccountData({ mint: MINT, owner: OWNER });
    const ledger = new FixedLedger();
    ledger.setAccount(ADDRESS, accountWith(data));
    expect(await dataOf(ledger, { encoding: 'jsonParsed' })).toEqual([
      Buffer.from(data).toString('base64'),
      'base64',
    ]);
  });

  it('explains an invalid address', async () => {
    expect(await callMethod(new FixedLedger(), 'getAccountInfo', 'p')).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });

  it('respects minContextSlot', async () => {
    expect(
      await callMethod(ledgerWith(Buffer.alloc(0)), 'getAccountInfo', ADDRESS, { minContextSlot: 4712 }),
    ).toHaveProperty('error.code', -32016);
  });
});
