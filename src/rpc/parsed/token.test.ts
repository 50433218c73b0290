import { describe, expect, it } from 'vitest';
import { Float64 } from '../../json/write-json.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { mintTo } from '../../programs/token/instructions.ts';
import { ACCOUNTS, filled, littleEndian, parseCall } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [A, B, C, D, E, F] = ACCOUNTS;
const AUTHORITY = addressFilledWith(0xee);
const amount = littleEndian(18446744073709551615n, 8);
const amountText = '18446744073709551615';
const checked = [...littleEndian(1500, 8), 3];
const tokenAmount = { amount: '1500', decimals: 3, uiAmount: new Float64(1.5), uiAmountString: '1.5' };

const parse = (accountCount: number, ...data: (number | number[])[]): unknown =>
  parseCall(TOKEN_PROGRAM, accountCount, data.flat());

describe('token instructions', () => {
  it.each<[string, number[], number, object]>([
    [
      'initializeMint',
      [0, 6, ...filled(0xee), 0],
      2,
      { decimals: 6, mint: A, mintAuthority: AUTHORITY, rentSysvar: B },
    ],
    ['initializeAccount', [1], 4, { account: A, mint: B, owner: C, rentSysvar: D }],
    ['initializeMultisig', [2, 1], 3, { m: 1, multisig: A, rentSysvar: B, signers: [C] }],
    ['transfer', [3, ...amount], 3, { amount: amountText, authority: C, destination: B, source: A }],
    ['approve', [4, ...amount], 3, { amount: amountText, delegate: B, owner: C, source: A }],
    ['revoke', [5], 2, { owner: B, source: A }],
    [
      'setAuthority',
      [6, 0, 1, ...filled(0xee)],
      2,
      { authority: B, authorityType: 'mintTokens', mint: A, newAuthority: AUTHORITY },
    ],
    ['mintTo', [7, ...amount], 3, { account: B, amount: amountText, mint: A, mintAuthority: C }],
    ['burn', [8, ...amount], 3, { account: A, amount: amountText, authority: C, mint: B }],
    ['closeAccount', [9], 3, { account: A, destination: B, owner: C }],
    ['freezeAccount', [10], 3, { account: A, freezeAuthority: C, mint: B }],
    ['thawAccount', [11], 3, { account: A, freezeAuthority: C, mint: B }],
    [
      'transferChecked',
      [12, ...checked],
      4,
      { authority: D, destination: C, mint: B, source: A, tokenAmount },
    ],
    ['approveChecked', [13, ...checked], 4, { delegate: C, mint: B, owner: D, source: A, tokenAmount }],
    ['mintToChecked', [14, ...checked], 3, { account: B, mint: A, mintAuthority: C, tokenAmount }],
    ['burnChecked', [15, ...checked], 3, { account: A, authority: C, mint: B, tokenAmount }],
    [
      'initializeAccount2',
      [16, ...filled(0xee)],
      3,
      { account: A, mint: B, owner: AUTHORITY, rentSysvar: C },
    ],
    ['syncNative', [17], 1, { account: A }],
    ['initializeAccount3', [18, ...filled(0xee)], 2, { account: A, mint: B, owner: AUTHORITY }],
    ['initializeMultisig2', [19, 1], 2, { m: 1, multisig: A, signers: [B] }],
    [
      'initializeMint2',
      [20, 6, ...filled(0xee), 1, ...filled(2)],
      1,
      { decimals: 6, freezeAuthority: B, mint: A, mintAuthority: AUTHORITY },
    ],
    ['getAccountDataSize', [21], 1, { mint: A }],
    [
      'getAccountDataSize',
      [21, 7, 0, 28, 0],
      1,
      { extensionTypes: ['immutableOwner', 'permissionedBurn'], mint: A },
    ],
    ['initializeImmutableOwner', [22], 1, { account: A }],
    ['amountToUiAmount', [23, ...amount], 1, { amount: amountText, mint: A }],
    ['uiAmountToAmount', [24, ...Buffer.from('1.5')], 1, { mint: A, uiAmount: '1.5' }],
    ['createNativeMint', [31], 3, { nativeMint: B, payer: A, systemProgram: C }],
    ['initializeNonTransferableMint', [32], 1, { mint: A }],
    ['withdrawExcessLamports', [38], 3, { authority: C, destination: B, source: A }],
    ['unwrapLamports', [45, 0], 3, { authority: C, destination: B, source: A }],
    [
      'unwrapLamports',
      [45, 1, ...amount],
      3,
      { amount: amountText, authority: C, destination: B, source: A },
    ],
  ])('shows %s (%#)', (type, data, accountsMin, info) => {
    expect(parse(accountsMin, data)).toEqual({ info, type });
    expect(parse(accountsMin - 1, data)).toBe('not parsed');
  });

  it('treats additional accounts as the signers of a multisig', () => {
    expect(parse(5, 3, amount)).toEqual({
      info: { amount: amountText, destination: B, multisigAuthority: C, signers: [D, E], source: A },
      type: 'transfer',
    });
    expect(parse(6, 12, checked)).toEqual({
      info: { destination: C, mint: B, multisigAuthority: D, signers: [E, F], source: A, tokenAmount },
      type: 'transferChecked',
    });
    expect(parse(3, 5)).toEqual({ info: { multisigOwner: B, signers: [C], source: A }, type: 'revoke' });
    expect(parse(4, 7, amount)).toMatchObject({ info: { multisigMintAuthority: C, signers: [D] } });
    expect(parse(4, 10)).toMatchObject({ info: { multisigFreezeAuthority: C, signers: [D] } });
  });

  it.each<[number, string, string]>([
    [1, 'mint', 'freezeAccount'],
    [2, 'account', 'accountOwner'],
    [3, 'account', 'closeAccount'],
    [4, 'mint', 'transferFeeConfig'],
    [17, 'mint', 'permissionedBurn'],
  ])('shows the type of authority number %d', (number, of, authorityType) => {
    expect(parse(2, 6, number, 0)).toEqual({
      info: { [of]: A, authority: B, authorityType, newAuthority: null },
      type: 'setAuthority',
    });
  });

  it('shows the instructions of a batch with their shares of the accounts', () => {
    const batch = [255, 3, 9, 3, ...amount, 1, 1, 17];
    expect(parse(4, batch)).toEqual({
      info: {
        instructions: [
          {
            info: { amount: amountText, authority: C, destination: B, source: A },
            type: 'transfer',
          },
          { info: { account: D }, type: 'syncNative' },
        ],
      },
      type: 'batch',
    });
    expect(parse(3, batch)).toBe('not parsed');
    expect(parse(4, 255, 1, 4, 255, 1, 1, 17)).toBe('not parsed');
  });

  it('shows instructions that our own encoder writes', () => {
    const [account, mint, authority] = [addressFilledWith(1), addressFilledWith(2), addressFilledWith(3)];
    const { data } = mintTo(TOKEN_PROGRAM, { mint, destination: account, authority }, 5n);
    expect(parse(3, [...data])).toMatchObject({ type: 'mintTo', info: { amount: '5' } });
  });

  it.each<[string, number[]]>([
    ['no data', []],
    ['an instruction of an extension', [26, 0]],
    ['an unknown tag', [254]],
    ['a truncated amount', [3, 1, 2, 3]],
    ['an invalid option', [20, 6, ...filled(1), 2]],
    ['an unknown authority', [6, 18, 0]],
    ['an unknown extension', [21, 99, 0]],
    ['a truncated extension', [21, 7]],
    ['text that is not UTF-8', [24, 0xff]],
  ])('does not parse %s', (_, data) => {
    expect(parse(5, data)).toBe('not parsed');
  });
});
