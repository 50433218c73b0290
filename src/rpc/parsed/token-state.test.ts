import { describe, expect, it } from 'vitest';
import { type JsonOutput, writeJson } from '../../json/write-json.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { tryParse } from '../../solana/byte-reader.ts';
import { uiTokenAmount } from '../accounts/token-amount.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { accountWith, mintData, tokenAccountData, withExtensions } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseTokenState } from './parse-account.ts';

const MINT = addressFilledWith(2);
const OWNER = addressFilledWith(3);
const DELEGATE = addressFilledWith(4);

/** Finds nothing but a mint of 2 decimals at MINT. */
const lookUp = (address: Address): Account | null =>
  address === MINT ? accountWith(mintData({ decimals: 2 })) : null;

/** The parsed form of a token program's account, if any. */
const showTokenState = (data: Uint8Array, find: typeof lookUp): JsonOutput | undefined =>
  tryParse(() => parseTokenState({ address: MINT, data, lookUp: find }));

describe('parseTokenState()', () => {
  it('shows all members of a token account', () => {
    const data = tokenAccountData({
      mint: MINT,
      owner: OWNER,
      amount: 42n,
      state: 2,
      delegate: DELEGATE,
      delegatedAmount: 7n,
      rentExemptReserve: 2_039_280n,
      closeAuthority: DELEGATE,
    });
    const amount = (base: bigint): string => writeJson(uiTokenAmount(base, 2));
    expect(writeJson(showTokenState(data, lookUp) ?? null)).toBe(
      `{"info":{"closeAuthority":"${DELEGATE}","delegate":"${DELEGATE}","delegatedAmount":${amount(7n)},` +
        `"isNative":true,"mint":"${MINT}","owner":"${OWNER}","rentExemptReserve":${amount(2_039_280n)},` +
        `"state":"frozen","tokenAmount":${amount(42n)}},"type":"account"}`,
    );
  });

  it('omits what a token account does not have', () => {
    const data = tokenAccountData({ mint: MINT, owner: OWNER, delegatedAmount: 7n });
    expect(writeJson(showTokenState(data, lookUp) ?? null)).toBe(
      `{"info":{"isNative":false,"mint":"${MINT}","owner":"${OWNER}","state":"initialized",` +
        `"tokenAmount":${writeJson(uiTokenAmount(0n, 2))}},"type":"account"}`,
    );
  });

  it('needs no mint for wrapped SOL', () => {
    const data = tokenAccountData({ mint: NATIVE_MINT, owner: OWNER });
    expect(showTokenState(data, () => null)).toMatchObject({ info: { tokenAmount: { decimals: 9 } } });
  });

  it('shows mints with and without authorities', () => {
    const full = mintData({
      supply: 18446744073709551615n,
      decimals: 6,
      mintAuthority: OWNER,
      freezeAuthority: DELEGATE,
    });
    expect(writeJson(showTokenState(full, lookUp) ?? null)).toBe(
      `{"info":{"decimals":6,"freezeAuthority":"${DELEGATE}","isInitialized":true,"mintAuthority":"${OWNER}",` +
        '"supply":"18446744073709551615"},"type":"mint"}',
    );
    expect(showTokenState(mintData({}), lookUp)).toMatchObject({
      info: { freezeAuthority: null, mintAuthority: null },
    });
  });

  it('shows a multisig with its signers', () => {
    const data = Buffer.alloc(355);
    data.set([2, 3, 1, ...filled(7), ...filled(8), ...filled(9)]);
    expect(showTokenState(data, lookUp)).toEqual({
      info: {
        isInitialized: true,
        numRequiredSigners: 2,
        numValidSigners: 3,
        signers: [addressFilledWith(7), addressFilledWith(8), addressFilledWith(9)],
      },
      type: 'multisig',
    });
  });

  it.each<[string, Uint8Array]>([
    ['a token account without its mint', tokenAccountData({ mint: DELEGATE, owner: OWNER })],
    ['an uninitialized token account', tokenAccountData({ mint: MINT, owner: OWNER, state: 0 })],
    ['an uninitialized mint', Buffer.alloc(82)],
    ['an uninitialized multisig', Buffer.alloc(355)],
    ['other bytes', Buffer.alloc(4)],
    ['no bytes', Buffer.alloc(0)],
  ])('does not show %s', (_, data) => {
    expect(showTokenState(data, lookUp)).toBeUndefined();
  });
});

describe('extensions of Token-2022', () => {
  const extensionsOf = (data: Uint8Array): unknown => {
    const shown = showTokenState(data, lookUp) as { info: { extensions?: unknown } } | undefined;
    return shown?.info.extensions;
  };
  const account = tokenAccountData({ mint: MINT, owner: OWNER });

  it('are shown in the order they are stored', () => {
    const data = withExtensions(account, 2, [
      [7, Buffer.alloc(0)],
      [2, Buffer.from(littleEndian(18446744073709551615n, 8))],
      [11, Buffer.of(1)],
    ]);
    expect(extensionsOf(data)).toEqual([
      { extension: 'immutableOwner' },
      { extension: 'transferFeeAmount', state: { withheldAmount: 18446744073709551615n } },
      { extension: 'cpiGuard', state: { lockCpi: true } },
    ]);
    expect(showTokenState(data, lookUp)).toMatchObject({ type: 'account' });
  });

  const text = (value: string): number[] => [...littleEndian(value.length, 4), ...Buffer.from(value)];
  const fee = [...littleEndian(1, 8), ...littleEndian(2, 8), ...littleEndian(30, 2)];
  const shownFee = { epoch: 1n, maximumFee: 2n, transferFeeBasisPoints: 30 };

  it.each<[number, number[], object]>([
    [
      1,
      [...filled(4), ...filled(0), ...littleEndian(9, 8), ...fee, ...fee],
      {
        extension: 'transferFeeConfig',
        state: {
          newerTransferFee: shownFee,
          olderTransferFee: shownFee,
          transferFeeConfigAuthority: DELEGATE,
          withdrawWithheldAuthority: null,
          withheldAmount: 9n,
        },
      },
    ],
    [3, filled(4), { extension: 'mintCloseAuthority', state: { closeAuthority: DELEGATE } }],
    [6, [2], { extension: 'defaultAccountState', state: { accountState: 'frozen' } }],
    [9, [], { extension: 'nonTransferable' }],
    [12, filled(0), { extension: 'permanentDelegate', state: { delegate: null } }],
    [
      14,
      [...filled(4), ...filled(3)],
      { extension: 'transferHook', state: { authority: DELEGATE, programId: OWNER } },
    ],
    [
      18,
      [...filled(0), ...filled(3)],
      { extension: 'metadataPointer', state: { authority: null, metadataAddress: OWNER } },
    ],
    [
      19,
      [
        ...filled(4),
        ...filled(2),
        ...text('Coin'),
        ...text('C'),
        ...text('u'),
        ...littleEndian(1, 4),
        ...text('k'),
        ...text('v'),
      ],
      {
        extension: 'tokenMetadata',
        state: {
          additionalMetadata: [['k', 'v']],
          mint: MINT,
          name: 'Coin',
          symbol: 'C',
          updateAuthority: DELEGATE,
          uri: 'u',
        },
      },
    ],
    [
      20,
      [...filled(4), ...filled(3)],
      { extension: 'groupPointer', state: { authority: DELEGATE, groupAddress: OWNER } },
    ],
    [
      21,
      [...filled(4), ...filled(2), ...littleEndian(1, 8), ...littleEndian(5, 8)],
      { extension: 'tokenGroup', state: { maxSize: 5n, mint: MINT, size: 1n, updateAuthority: DELEGATE } },
    ],
    [
      22,
      [...filled(4), ...filled(3)],
      { extension: 'groupMemberPointer', state: { authority: DELEGATE, memberAddress: OWNER } },
    ],
    [
      23,
      [...filled(2), ...filled(3), ...littleEndian(1, 8)],
      { extension: 'tokenGroupMember', state: { group: OWNER, memberNumber: 1n, mint: MINT } },
    ],
    [26, [...filled(4), 1], { extension: 'pausableConfig', state: { authority: DELEGATE, paused: true } }],
  ])('of mints are shown (type %d)', (type, value, shown) => {
    expect(extensionsOf(withExtensions(mintData({}), 1, [[type, Uint8Array.from(value)]]))).toEqual([shown]);
  });

  it.each<[number, number[], object]>([
    [8, [1], { extension: 'memoTransfer', state: { requireIncomingTransferMemos: true } }],
    [13, [], { extension: 'nonTransferableAccount' }],
    [15, [0], { extension: 'transferHookAccount', state: { transferring: false } }],
    [27, [], { extension: 'pausableAccount' }],
  ])('of accounts are shown (type %d)', (type, value, shown) => {
    expect(extensionsOf(withExtensions(account, 2, [[type, Uint8Array.from(value)]]))).toEqual([shown]);
  });

  it('end at unused bytes', () => {
    const data = Buffer.concat([withExtensions(account, 2, [[7, Buffer.alloc(0)]]), Buffer.alloc(9)]);
    expect(extensionsOf(data)).toEqual([{ extension: 'immutableOwner' }]);
  });

  it('that are malformed are shown as unparseable', () => {
    const data = withExtensions(account, 2, [
      [2, Buffer.alloc(7)],
      [2, Buffer.alloc(9)],
      [7, Buffer.alloc(0)],
    ]);
    expect(extensionsOf(data)).toEqual([
      { extension: 'unparseableExtension' },
      { extension: 'unparseableExtension' },
      { extension: 'immutableOwner' },
    ]);
  });

  it.each<[string, Uint8Array]>([
    ['an unused type', withExtensions(account, 2, [[99, Buffer.alloc(0)]])],
    ['a length beyond the end', withExtensions(account, 2, [[7, Buffer.alloc(4)]]).subarray(0, -1)],
  ])('are not shown at all if there is %s', (_, data) => {
    expect(showTokenState(data, lookUp)).toMatchObject({ type: 'account' });
    expect(extensionsOf(data)).toBeUndefined();
  });
});
