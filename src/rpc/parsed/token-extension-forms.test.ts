import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { uiTokenAmount } from '../accounts/token-amount.ts';
import { ACCOUNTS, filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseNamed } from './testing/parse-named.ts';

const [A, B, C, D, E, F] = ACCOUNTS;
const KEY = addressFilledWith(0xee);
const key = filled(0xee);
const none = filled(0);
const u64 = (value: number | bigint): number[] => littleEndian(value, 8);
const float = (value: number): number[] => [...Buffer.from(Float64Array.of(value).buffer)];

const parse = (accountCount: number, ...data: number[][]): unknown =>
  parseNamed(TOKEN_2022_PROGRAM, ACCOUNTS.slice(0, accountCount), data.flat());

describe('instructions of Token-2022’s extensions', () => {
  it.each<[string, number, number[][], object]>([
    [
      'initializeTransferFeeConfig',
      1,
      [[26, 0], [1], key, [0], littleEndian(42, 2), u64(2121)],
      {
        maximumFee: 2121n,
        mint: A,
        transferFeeBasisPoints: 42,
        transferFeeConfigAuthority: KEY,
        withdrawWithheldAuthority: undefined,
      },
    ],
    [
      'transferCheckedWithFee',
      4,
      [[26, 1], u64(55), [2], u64(5)],
      {
        authority: D,
        destination: C,
        feeAmount: uiTokenAmount(5n, 2),
        mint: B,
        source: A,
        tokenAmount: uiTokenAmount(55n, 2),
      },
    ],
    [
      'withdrawWithheldTokensFromMint',
      3,
      [[26, 2]],
      { feeRecipient: B, mint: A, withdrawWithheldAuthority: C },
    ],
    [
      'withdrawWithheldTokensFromAccounts',
      5,
      [[26, 3, 2]],
      { feeRecipient: B, mint: A, sourceAccounts: [D, E], withdrawWithheldAuthority: C },
    ],
    ['harvestWithheldTokensToMint', 1, [[26, 4]], { mint: A, sourceAccounts: [] }],
    [
      'setTransferFee',
      2,
      [[26, 5], littleEndian(42, 2), u64(2121)],
      { maximumFee: 2121n, mint: A, transferFeeBasisPoints: 42, transferFeeConfigAuthority: B },
    ],
    ['initializeDefaultAccountState', 1, [[28, 0, 2]], { accountState: 'frozen', mint: A }],
    [
      'updateDefaultAccountState',
      2,
      [[28, 1, 1]],
      { accountState: 'initialized', freezeAuthority: B, mint: A },
    ],
    ['enableRequiredMemoTransfers', 2, [[30, 0]], { account: A, owner: B }],
    ['disableRequiredMemoTransfers', 2, [[30, 1]], { account: A, owner: B }],
    [
      'initializeInterestBearingConfig',
      1,
      [[33, 0], none, littleEndian(-5n, 2)],
      { mint: A, rate: -5, rateAuthority: null },
    ],
    [
      'updateInterestBearingConfigRate',
      2,
      [[33, 1], littleEndian(7, 2)],
      { mint: A, newRate: 7, rateAuthority: B },
    ],
    ['enableCpiGuard', 2, [[34, 0]], { account: A, owner: B }],
    ['disableCpiGuard', 2, [[34, 1]], { account: A, owner: B }],
    ['initializeTransferHook', 1, [[36, 0], key, none], { authority: KEY, mint: A, programId: undefined }],
    ['updateTransferHook', 2, [[36, 1], key], { authority: B, mint: A, programId: KEY }],
    [
      'initializeMetadataPointer',
      1,
      [[39, 0], none, key],
      { authority: undefined, metadataAddress: KEY, mint: A },
    ],
    ['updateMetadataPointer', 2, [[39, 1], key], { authority: B, metadataAddress: KEY, mint: A }],
    ['initializeGroupPointer', 1, [[40, 0], key, key], { authority: KEY, groupAddress: KEY, mint: A }],
    ['updateGroupPointer', 2, [[40, 1], none], { authority: B, groupAddress: undefined, mint: A }],
    ['initializeGroupMemberPointer', 1, [[41, 0], key, key], { authority: KEY, memberAddress: KEY, mint: A }],
    ['updateGroupMemberPointer', 2, [[41, 1], key], { authority: B, memberAddress: KEY, mint: A }],
    [
      'initializeScaledUiAmountConfig',
      1,
      [[43, 0], key, float(1.5)],
      { authority: KEY, mint: A, multiplier: '1.5' },
    ],
    [
      'updateMultiplier',
      2,
      [[43, 1], float(2), u64(1_750_000_000)],
      { authority: B, mint: A, newMultiplier: '2', newMultiplierTimestamp: 1_750_000_000n },
    ],
    ['initializePausableConfig', 1, [[44, 0], none], { authority: null, mint: A }],
    ['pause', 2, [[44, 1]], { authority: B, mint: A }],
    ['resume', 2, [[44, 2]], { authority: B, mint: A }],
    ['initializePermissionedBurnConfig', 1, [[46, 0], key], { authority: KEY, mint: A }],
    [
      'permissionedBurn',
      4,
      [[46, 1], u64(42)],
      { account: A, amount: '42', authority: D, mint: B, permissionedBurnAuthority: C },
    ],
    [
      'permissionedBurnChecked',
      4,
      [[46, 2], u64(42), [1]],
      { account: A, authority: D, mint: B, permissionedBurnAuthority: C, tokenAmount: uiTokenAmount(42n, 1) },
    ],
    ['initializeMintCloseAuthority', 1, [[25, 1], key], { mint: A, newAuthority: KEY }],
    ['initializeMintCloseAuthority', 1, [[25, 0]], { mint: A, newAuthority: null }],
    [
      'reallocate',
      4,
      [[29], littleEndian(2, 2), littleEndian(8, 2)],
      {
        account: A,
        extensionTypes: ['transferFeeAmount', 'memoTransfer'],
        owner: D,
        payer: B,
        systemProgram: C,
      },
    ],
    ['initializePermanentDelegate', 1, [[35], key], { delegate: KEY, mint: A }],
  ])('show %s', (type, accountsMin, data, info) => {
    expect(parse(accountsMin, ...data)).toEqual({ info, type });
    expect(parse(accountsMin - 1, ...data)).toBe('not parsed');
  });

  it('treat additional accounts as the signers of a multisig', () => {
    expect(parse(4, [26, 5], littleEndian(42, 2), u64(1))).toMatchObject({
      info: { multisigtransferFeeConfigAuthority: B, signers: [C, D] },
    });
    expect(parse(6, [26, 3, 1])).toMatchObject({
      info: { multisigWithdrawWithheldAuthority: C, signers: [D, E], sourceAccounts: [F] },
    });
    expect(parse(3, [33, 1], littleEndian(7, 2))).toMatchObject({
      info: { multisigRateAuthority: B, signers: [C] },
    });
    expect(parse(3, [34, 0])).toMatchObject({ info: { multisigOwner: B, signers: [C] } });
  });

  it.each<[string, number[]]>([
    ['no second tag', [36]],
    ['an unknown second tag', [44, 3]],
    ['bytes after fields of a fixed length', [44, 0, ...none, 0]],
    ['truncated fields', [43, 0, ...key]],
    ['an unknown account state', [28, 0, 3]],
    ['more source accounts than exist', [26, 3, 9]],
    ['confidential transfers', [27, 0, ...none, 0, ...none]],
    ['confidential fees', [37, 4]],
    ['confidential mints', [42, 1]],
    ['a confidential burn with permission', [46, 3]],
  ])('are not parsed with %s', (_, data) => {
    expect(parse(8, data)).toBe('not parsed');
  });
});
