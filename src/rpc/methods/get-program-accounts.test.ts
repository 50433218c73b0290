import { describe, expect, it } from 'vitest';
import { emptyGenesis, openTestLedger } from '../../ledger/testing/test-ledger.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { addressOf } from '../../solana/address.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [A, B, C] = [addressFilledWith(1), addressFilledWith(2), addressFilledWith(3)];
const MINT = addressFilledWith(4);
const OWNER = addressFilledWith(5);

function memoLedger(): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(C, accountWith(Uint8Array.of(3, 3), MEMO_PROGRAM));
  ledger.setAccount(A, accountWith(Uint8Array.of(1, 3, 5), MEMO_PROGRAM));
  ledger.setAccount(B, accountWith(Uint8Array.of(2), SYSTEM_PROGRAM));
  return ledger;
}

function tokenLedger(): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(MINT, accountWith(mintData({ decimals: 2 }), TOKEN_PROGRAM));
  ledger.setAccount(
    A,
    accountWith(tokenAccountData({ mint: MINT, owner: OWNER, amount: 5n }), TOKEN_PROGRAM),
  );
  ledger.setAccount(B, accountWith(tokenAccountData({ mint: C, owner: OWNER }), TOKEN_PROGRAM));
  ledger.setAccount(C, accountWith(tokenAccountData({ mint: MINT, owner: A }), TOKEN_PROGRAM));
  return ledger;
}

async function found(ledger: FixedLedger, program: string, config: object): Promise<string[]> {
  const { result } = await callMethod(ledger, 'getProgramAccounts', program, {
    encoding: 'base64',
    ...config,
  });
  return (result as { pubkey: string }[]).map(({ pubkey }) => pubkey);
}

describe('getProgramAccounts', () => {
  it('returns the accounts of the program in the order of their address bytes, with data in base58', async () => {
    const rest =
      '"executable":false,"lamports":2039280,"owner":"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",' +
      '"rentEpoch":18446744073709551615';
    expect(await callForText(memoLedger(), 'getProgramAccounts', `["${MEMO_PROGRAM}"]`)).toBe(
      `"result":[{"account":{"data":"LiG",${rest},"space":3},"pubkey":"${A}"},` +
        `{"account":{"data":"EJ",${rest},"space":2},"pubkey":"${C}"}]`,
    );
  });

  it('returns the slot if requested', async () => {
    expect(
      await callMethod(memoLedger(), 'getProgramAccounts', MEMO_PROGRAM, {
        withContext: true,
        encoding: 'base64',
        dataSlice: { offset: 1, length: 1 },
      }),
    ).toMatchObject({
      result: {
        context: { apiVersion: '4.2.1', slot: 4711 },
        value: [{ account: { data: ['Aw==', 'base64'], space: 3 } }, {}],
      },
    });
  });

  it('returns an empty list for a program without accounts', async () => {
    expect(await callMethod(memoLedger(), 'getProgramAccounts', TOKEN_PROGRAM)).toEqual({ result: [] });
  });

  it('keeps the order if requested', async () => {
    expect(await found(memoLedger(), MEMO_PROGRAM, { sortResults: false })).toEqual([C, A]);
    expect(await found(memoLedger(), MEMO_PROGRAM, { sortResults: null })).toEqual([A, C]);
  });

  it('sorts by bytes, not by text', async () => {
    const [low, high] = [0x01, 0xff].map((first) =>
      addressOf(Uint8Array.of(0, first, ...Buffer.alloc(30, 7))),
    );
    const ledger = new FixedLedger();
    for (const address of [A, high, low]) {
      ledger.setAccount(address as string, accountWith(new Uint8Array(0), MEMO_PROGRAM));
    }
    expect(await found(ledger, MEMO_PROGRAM, {})).toEqual([low, high, A]);
  });

  it('returns accounts that pass every filter', async () => {
    const memcmp = (offset: number, bytes: unknown): object => ({ memcmp: { offset, bytes } });
    expect(await found(memoLedger(), MEMO_PROGRAM, { filters: [{ dataSize: 3 }] })).toEqual([A]);
    expect(await found(memoLedger(), MEMO_PROGRAM, { filters: [memcmp(1, [3])] })).toEqual([A, C]);
    expect(await found(memoLedger(), MEMO_PROGRAM, { filters: [memcmp(1, [3]), { dataSize: 2 }] })).toEqual([
      C,
    ]);
    expect(await found(memoLedger(), MEMO_PROGRAM, { filters: ['tokenAccountState'] })).toEqual([]);
    expect(await found(memoLedger(), MEMO_PROGRAM, { filters: null })).toEqual([A, C]);
  });

  const byOwner = { memcmp: { offset: 32, bytes: OWNER } };
  const byMint = { memcmp: { offset: 0, bytes: MINT } };

  it('finds the token accounts of a wallet and of a mint', async () => {
    const filtered = (...filters: unknown[]) => found(tokenLedger(), TOKEN_PROGRAM, { filters });
    expect(await filtered({ dataSize: 165 }, byOwner)).toEqual([A, B]);
    expect(await filtered('tokenAccountState', byOwner, byMint)).toEqual([A]);
    expect(await filtered({ dataSize: 165 }, byMint)).toEqual([A, C]);
  });

  it('shows parsed accounts, and omits token accounts that cannot be parsed', async () => {
    const { result } = await callMethod(tokenLedger(), 'getProgramAccounts', TOKEN_PROGRAM, {
      encoding: 'jsonParsed',
    });
    // B is of a mint that is none.
    expect(result).toMatchObject([
      { pubkey: A, account: { data: { parsed: { info: { tokenAmount: { uiAmountString: '0.05' } } } } } },
      { pubkey: C, account: { data: { program: 'spl-token' } } },
      { pubkey: MINT, account: { data: { parsed: { type: 'mint' } } } },
    ]);
    expect(
      await callMethod(memoLedger(), 'getProgramAccounts', MEMO_PROGRAM, { encoding: 'jsonParsed' }),
    ).toMatchObject({ result: [{ account: { data: ['AQMF', 'base64'] } }, {}] });
  });

  it('rejects data too large for base58', async () => {
    expect(await callMethod(tokenLedger(), 'getProgramAccounts', TOKEN_PROGRAM)).toEqual({
      error: {
        code: -32600,
        message: 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
      },
    });
  });

  it.each<[string, string]>([
    ['["p"]', 'Invalid param: WrongSize'],
    [`["${A}",{"filters":[1]}]`, 'Invalid params: invalid type: integer `1`, expected string or map.'],
    [
      `["${A}",{"filters":[{"bogus":5}]}]`,
      'Invalid params: unknown variant `bogus`, expected one of `dataSize`, `memcmp`, `tokenAccountState`.',
    ],
    [`["${A}",{"filters":[{"memcmp":{"bytes":"a"}}]}]`, 'Invalid params: missing field `offset`.'],
    [
      `["${A}",{"filters":[{"memcmp":{"offset":0,"bytes":"l"}}]}]`,
      "Invalid param: Base58DecodeError(InvalidCharacter { character: 'l', index: 0 })",
    ],
    [`["${A}",{"withContext":1}]`, 'Invalid params: invalid type: integer `1`, expected a boolean.'],
    [
      `["${A}",{"encoding":"foo"}]`,
      'Invalid params: unknown variant `foo`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.',
    ],
    [`["${A}",5]`, 'Invalid params: invalid type: integer `5`, expected struct RpcProgramAccountsConfig.'],
  ])('explains what is wrong with %s', async (params, message) => {
    expect(JSON.parse(`{${await callForText(new FixedLedger(), 'getProgramAccounts', params)}}`)).toEqual(
      invalidParamsError(message),
    );
  });

  it('respects minContextSlot', async () => {
    expect(
      await callMethod(memoLedger(), 'getProgramAccounts', MEMO_PROGRAM, { minContextSlot: 4712 }),
    ).toHaveProperty('error.code', -32016);
  });
});

describe('getProgramAccounts of the sysvars', () => {
  // The sizes and lamports kit's own tests expect of a test validator.
  it.each([
    ['SysvarC1ock11111111111111111111111111111111', 'clock', 40, 1_169_280],
    ['SysvarEpochSchedu1e111111111111111111111111', 'epochSchedule', 33, 1_120_560],
    ['SysvarRecentB1ockHashes11111111111111111111', 'recentBlockhashes', 6_008, 42_706_560],
    ['SysvarRent111111111111111111111111111111111', 'rent', 17, 1_009_200],
    ['SysvarStakeHistory1111111111111111111111111', 'stakeHistory', 16_392, 114_979_200],
  ])('shows %s as %s of %d bytes (bug: the stake history had 8)', async (pubkey, type, space, lamports) => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const owner = 'Sysvar1111111111111111111111111111111111111';
    const { result } = await callMethod(ledger, 'getProgramAccounts', owner, { encoding: 'jsonParsed' });
    expect(result).toContainEqual({
      account: {
        data: { parsed: { info: expect.anything(), type }, program: 'sysvar', space },
        executable: false,
        lamports,
        owner,
        rentEpoch: Number(RENT_EXEMPT_EPOCH),
        space,
      },
      pubkey,
    });
    await ledger.close();
  });
});
