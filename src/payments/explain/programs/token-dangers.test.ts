import { describe, expect, it } from 'vitest';
import { mintData as mapMintData, tokenAccountData } from '../../../../test/ports/map-chain.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { concat, u32, u64, u8 } from '../../../programs/instruction-data.ts';
import { transferLamports } from '../../../programs/system.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import { closeTokenAccount, mintTo, transferTokens } from '../../../programs/token/instructions.ts';
import { littleEndian } from '../../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../../rpc/testing/token-accounts.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from '../../../solana/instruction.ts';
import { AddressBook } from '../address-book.ts';
import {
  accountOf,
  explainInstructions,
  found,
  key,
  OWNER,
  THIEF,
  words,
} from '../testing/explain-instructions.ts';

const MINT = key(31);
const [source, destination] = [key(41), key(42)];

/** A multiplier, and the one that replaces it from some time on. */
function multiplied(multiplier: number, next: number, from: bigint): Uint8Array {
  const value = new Uint8Array(56);
  const view = new DataView(value.buffer);
  view.setFloat64(32, multiplier, true);
  view.setBigInt64(40, from, true);
  view.setFloat64(48, next, true);
  return value;
}
const i16 = (value: number): Uint8Array => new Uint8Array(Int16Array.of(value).buffer);
const DANGER = 'danger DANGEROUS_INSTRUCTION';

const token = (tag: number, accounts: AccountMeta[], ...fields: Uint8Array[]): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts,
  data: concat(u8(tag), ...fields),
});

describe('minted tokens and frozen accounts', () => {
  it('are a caution with the amount', () => {
    const minted = explainInstructions([
      mintTo(TOKEN_PROGRAM, { mint: USDC_MINT, destination, authority: OWNER }, 2_500_000n),
    ]);
    expect(found(minted)).toEqual(['caution TOKENS_MINTED']);
    expect(words(minted)).toContain('2.5 USDC');
    expect(minted.effects.tokens[0]?.change).toBe(2_500_000n);
  });

  it.each([
    [10, 'ACCOUNT_FROZEN', 'is frozen'],
    [11, 'ACCOUNT_THAWED', 'is thawed'],
  ])('are a caution by instruction %i', (tag, code, ending) => {
    const explained = explainInstructions([
      token(tag, [writable(source), readonly(USDC_MINT), signer(OWNER)]),
    ]);
    expect(found(explained)).toEqual([`caution ${code}`]);
    expect(words(explained)).toContain(ending);
  });
});

describe('an approval', () => {
  it('of nothing is a revocation and no danger', () => {
    const approve = (amount: bigint): string[] =>
      found(
        explainInstructions([
          token(4, [writable(source), readonly(THIEF), signer(OWNER)], u64(amount)),
          token(13, [writable(source), readonly(MINT), readonly(THIEF), signer(OWNER)], u64(amount), u8(0)),
        ]),
      );
    expect(approve(0n)).toEqual([]);
    expect(approve(1n)).toEqual([DANGER, DANGER]);
  });
});

describe('an account that is closed', () => {
  const wrapped = deriveAta(OWNER, NATIVE_MINT, TOKEN_PROGRAM).address;
  const close = (to: Address): Instruction =>
    closeTokenAccount(TOKEN_PROGRAM, { account: wrapped, destination: to, authority: OWNER });
  const accounts = new Map([
    [wrapped, accountOf(TOKEN_PROGRAM, tokenAccountData(NATIVE_MINT, OWNER, 700n), 2_039_980n)],
  ]);
  const mints = [NATIVE_MINT];

  it('shows its lamports in the effects, and is no danger if the owner receives them', () => {
    const explained = explainInstructions([close(OWNER)], { accounts, mints });
    expect(found(explained)).toEqual([]);
    expect(explained.effects.lamports).toEqual([
      { address: wrapped, change: -2_039_280n },
      { address: OWNER, change: 2_039_980n },
    ]);
    expect(explained.effects.tokens).toMatchObject([{ owner: OWNER, mint: NATIVE_MINT, change: -700n }]);
  });

  it('shows its lamports in the effects, and is a danger if another wallet receives them', () => {
    const explained = explainInstructions([close(THIEF)], { accounts, mints });
    expect(found(explained)).toEqual([DANGER]);
    expect(explained.effects.lamports).toContainEqual({ address: THIEF, change: 2_039_980n });
  });

  it('pays out what the transaction paid in', () => {
    const { effects } = explainInstructions(
      [
        transferLamports(OWNER, wrapped, 50n),
        transferTokens(TOKEN_PROGRAM, { source, destination: wrapped, authority: OWNER }, 8n),
        close(THIEF),
      ],
      { accounts, mints },
    );
    expect(effects.lamports).toContainEqual({ address: THIEF, change: 2_039_980n + 50n + 8n });
    expect(effects.tokens.find(({ account }) => account === wrapped)?.change).toBe(-700n);
  });

  it('says that the amount is unknown if the chain was not read', () => {
    const { effects, calls } = explainInstructions([close(THIEF)], { mints });
    expect(effects.lamports).toEqual([]);
    expect(calls[0]?.text).toContain('all its lamports, an unknown amount,');
  });

  it('holds the lamports of its created ATA', () => {
    const create: Instruction = {
      programId: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
      accounts: [
        writableSigner(OWNER),
        writable(wrapped),
        readonly(OWNER),
        readonly(NATIVE_MINT),
        readonly(SYSTEM_PROGRAM),
        readonly(TOKEN_PROGRAM),
      ],
      data: u8(1),
    };
    const missing = new Map([[wrapped, null]]);
    const { effects } = explainInstructions([create, close(THIEF)], { accounts: missing, mints });
    expect(effects.lamports).toContainEqual({ address: THIEF, change: 2_039_280n });
  });
});

describe('a lookup table', () => {
  const TABLE = key(51);
  const call = (tag: number, accounts: AccountMeta[], ...fields: Uint8Array[]): Instruction => ({
    programId: ADDRESS_LOOKUP_TABLE_PROGRAM,
    accounts: [writable(TABLE), ...accounts],
    data: concat(u32(tag), ...fields),
  });
  const payers = [writableSigner(OWNER), readonly(SYSTEM_PROGRAM)];

  it.each<[string, Instruction]>([
    ['frozen', call(1, [signer(OWNER)])],
    ['extended', call(2, [signer(OWNER), ...payers], u64(1n), addressBytes(THIEF))],
    ['is deactivated', call(3, [signer(OWNER)])],
    ['closed', call(4, [signer(OWNER), writable(THIEF)])],
    ['created for someone else', call(0, [readonly(THIEF), ...payers], u64(1n), u8(255))],
  ])('is a danger if it is %s', (_, instruction) => {
    expect(found(explainInstructions([instruction]))).toEqual([DANGER]);
  });

  it('is no danger if the payer creates it for itself and pays for it', () => {
    const explained = explainInstructions([call(0, [signer(OWNER), ...payers], u64(1n), u8(255))]);
    expect(found(explained)).toEqual([]);
    expect(explained.effects.creations).toMatchObject([{ address: TABLE, lamports: 1_280_640n }]);
  });

  it('is no danger if it is funded in the same transaction', () => {
    const create = call(0, [signer(OWNER), ...payers], u64(1n), u8(255));
    const extend = call(2, [signer(OWNER), ...payers], u64(1n), addressBytes(THIEF));
    const absent = { accounts: new Map([[TABLE, null]]) };
    expect(found(explainInstructions([create, extend], absent))).toEqual([]);
    const unread = explainInstructions([create, extend]);
    expect(found(unread)).toEqual(['caution DANGEROUS_INSTRUCTION']);
    const accounts = new Map([[TABLE, accountOf(ADDRESS_LOOKUP_TABLE_PROGRAM, new Uint8Array(56), 9_000n)]]);
    expect(found(explainInstructions([create, extend], { accounts }))).toEqual([DANGER]);
    expect(found(explainInstructions([extend, create]))).toEqual([DANGER]);
  });

  it('shows its lamports in the effects', () => {
    const accounts = new Map([[TABLE, accountOf(ADDRESS_LOOKUP_TABLE_PROGRAM, new Uint8Array(56), 9_000n)]]);
    const closed = explainInstructions([call(4, [signer(OWNER), writable(THIEF)])], { accounts });
    expect(closed.effects.lamports).toContainEqual({ address: THIEF, change: 9_000n });
    const extended = explainInstructions([call(2, [signer(OWNER), ...payers], u64(1n), addressBytes(THIEF))]);
    expect(extended.effects.lamports).toContainEqual({ address: OWNER, change: -32n * 6_960n });
  });
});

describe('tokens of someone who does not sign', () => {
  const pay = transferTokens(TOKEN_PROGRAM, { source, destination, authority: OWNER }, 5n);
  const heldBy = (owner: Address) => {
    const book = new AddressBook();
    book.addHolding(source, { owner, mint: USDC_MINT });
    return explainInstructions([pay], { book });
  };

  it('are a danger if a delegate or a multisig transfers them (bug: it was clear)', () => {
    expect(found(heldBy(key(8)))).toEqual(['danger DANGEROUS_INSTRUCTION']);
    expect(words(heldBy(key(8)))).toContain(`These are tokens of ${key(8)}, who does not sign`);
  });

  it('are no danger if they belong to the signer', () => {
    expect(found(heldBy(OWNER))).toEqual([]);
  });
});

describe('a receiving token account', () => {
  const put = (data: Uint8Array): ReadonlyMap<Address, Account> =>
    new Map([[destination, accountOf(TOKEN_PROGRAM, data)]]);
  const pay = transferTokens(TOKEN_PROGRAM, { source, destination, authority: OWNER }, 1_500_000n);
  const account = (change: (view: DataView, data: Uint8Array) => void): Uint8Array => {
    const data = tokenAccountData(USDC_MINT, key(8), 0n);
    change(new DataView(data.buffer), data);
    return data;
  };
  const book = () => ({ owners: [key(8)], mints: [USDC_MINT] });
  const delegated = account((view, data) => {
    view.setUint32(72, 1, true);
    data.set(addressBytes(THIEF), 76);
    view.setBigUint64(121, 9_000_000n, true);
  });
  const closable = account((view, data) => {
    view.setUint32(129, 1, true);
    data.set(addressBytes(THIEF), 133);
  });

  it('is a caution if it has a delegate, who is named with the amounts', () => {
    const explained = explainInstructions([pay], { accounts: put(delegated), ...book() });
    expect(found(explained)).toEqual(['caution TOKEN_ACCOUNT_DELEGATED']);
    expect(words(explained)).toMatch(new RegExp(`1500000 base units .*${THIEF} can take up to`));
    expect(words(explained)).toContain('9000000 base units');
  });

  it('is a caution if someone else may close it', () => {
    const explained = explainInstructions([pay], { accounts: put(closable), ...book() });
    expect(found(explained)).toEqual(['caution TOKEN_ACCOUNT_CLOSE_AUTHORITY']);
    expect(words(explained)).toContain(`${THIEF} can close it`);
  });

  it('is a note if it is frozen, and nothing otherwise', () => {
    const frozen = tokenAccountData(USDC_MINT, key(8), 0n, 2);
    expect(found(explainInstructions([pay], { accounts: put(frozen), ...book() }))).toEqual([
      'note TOKEN_ACCOUNT_FROZEN',
    ]);
    const plain = tokenAccountData(USDC_MINT, key(8), 0n);
    expect(found(explainInstructions([pay], { accounts: put(plain), ...book() }))).toEqual([]);
  });

  it('is no caution as the payer', () => {
    const swapped = transferTokens(
      TOKEN_PROGRAM,
      { source: destination, destination: source, authority: OWNER },
      1n,
    );
    expect(found(explainInstructions([swapped], { accounts: put(delegated), ...book() }))).toEqual([]);
  });
});

describe('a mint of Token-2022', () => {
  const transfer: Instruction = {
    programId: TOKEN_2022_PROGRAM,
    accounts: [writable(source), readonly(MINT), writable(destination), signer(OWNER)],
    data: concat(u8(12), u64(10_000n), u8(0)),
  };
  const explain = (...extensions: [type: number, value: Uint8Array][]) =>
    explainInstructions([transfer], {
      accounts: new Map([[MINT, accountOf(TOKEN_2022_PROGRAM, withExtensions(mintData({}), 1, extensions))]]),
    });
  const fee = (epoch: bigint, maximum: bigint, basisPoints: number): number[] => [
    ...littleEndian(epoch, 8),
    ...littleEndian(maximum, 8),
    ...littleEndian(basisPoints, 2),
  ];
  const feeConfig = (older: number[], newer: number[]): Uint8Array =>
    Uint8Array.from([...new Uint8Array(72), ...older, ...newer]);

  /** As the clock of the node has it. */
  const explainAt = (now: bigint, extension: [type: number, value: Uint8Array]) =>
    explainInstructions([transfer], {
      accounts: new Map([
        [MINT, accountOf(TOKEN_2022_PROGRAM, withExtensions(mintData({}), 1, [extension]))],
        [CLOCK_SYSVAR, accountOf(SYSVAR_OWNER, concat(new Uint8Array(32), u64(now)))],
      ]),
    });

  it.each<[string, [type: number, value: Uint8Array], string]>([
    ['is displayed 9,000,000 times as large', [25, multiplied(9e6, 9e6, 0n)], '9000000 times'],
    ['had another multiplier', [25, multiplied(1, 2.5, 999n)], 'Wallets show 2.5 times'],
    ['gets a multiplier later', [25, multiplied(1, 2.5, 2_000n)], 'and 2.5 times from Unix time 2000 on'],
    [
      'has borne interest of 327 % for a year',
      [10, concat(new Uint8Array(32), u64(0n), i16(0), u64(0n), i16(32_700))],
      'Wallets show 26.3',
    ],
  ])('is a caution if it %s (bug: it was a note without a figure)', (_, extension, text) => {
    const now = extension[0] === 10 ? 31_556_736n : 1_000n;
    const explained = explainAt(now, extension);
    expect(found(explained)).toEqual(['caution SHOWN_OTHERWISE']);
    expect(words(explained)).toContain(text);
  });

  it('is a caution with a hook that can still be set (bug: it was clear)', () => {
    const hook = explain([14, concat(addressBytes(THIEF), new Uint8Array(32))]);
    expect(found(hook)).toEqual(['caution TRANSFER_HOOK']);
    expect(words(hook)).toContain(`${THIEF} can make every transfer`);
    expect(found(explain([14, new Uint8Array(64)]))).toEqual([]);
  });

  it('is a caution with a permanent delegate or a transfer hook, which are named', () => {
    const delegate = explain([12, addressBytes(THIEF)]);
    expect(found(delegate)).toEqual(['caution PERMANENT_DELEGATE']);
    expect(words(delegate)).toContain(THIEF);
    const hook = explain([14, concat(new Uint8Array(32), addressBytes(THIEF))]);
    expect(found(hook)).toEqual(['caution TRANSFER_HOOK']);
    expect(words(hook)).toContain(THIEF);
  });

  it('is a caution with a fee, which is stated, and the received amount is smaller by it', () => {
    const explained = explain([1, feeConfig(fee(0n, 5_000n, 250), fee(0n, 5_000n, 250))]);
    expect(found(explained)).toEqual(['caution TRANSFER_FEE']);
    expect(words(explained)).toContain('2.5% (');
    expect(explained.effects.tokens.map(({ account, change }) => [account, change])).toEqual([
      [source, -10_000n],
      [destination, 9_750n],
    ]);
    expect(explained.calls[0]?.text).toMatch(/; .*250 base units .* are withheld as fee/);
  });

  it('counts the larger fee if the epoch is unknown', () => {
    const explained = explain([1, feeConfig(fee(0n, 5_000n, 0), fee(900n, 5_000n, 100))]);
    expect(explained.effects.tokens.find(({ account }) => account === destination)?.change).toBe(9_900n);
    expect(explained.calls[0]?.text).toContain('up to');
    expect(words(explained)).toContain('from then on');
  });

  it.each([
    ['is paused', 26, concat(addressBytes(THIEF), u8(1)), 'MINT_PAUSED', THIEF],
    ['is not transferable', 9, new Uint8Array(), 'NON_TRANSFERABLE', 'cannot be transferred'],
    ['bears interest', 10, new Uint8Array(52), 'SHOWN_OTHERWISE', 'interest'],
    ['is displayed with a multiplier', 25, multiplied(1, 1, 0n), 'SHOWN_OTHERWISE', 'multiplied'],
  ] as const)('is a note if it %s (bug: it was not reported)', (_, type, value, code, word) => {
    const explained = explain([type, value]);
    expect(found(explained)).toEqual([`note ${code}`]);
    expect(words(explained)).toContain(word);
  });

  it('is no note if it is not paused', () => {
    expect(found(explain([26, concat(addressBytes(THIEF), u8(0))]))).toEqual([]);
  });

  it('is a note if the recipient account accepts only confidential transfers (bug: it was not reported)', () => {
    const mint = accountOf(TOKEN_2022_PROGRAM, mintData({}));
    const plain = tokenAccountData(MINT, key(8), 0n);
    const explainPaying = (allowed: number) => {
      const data = withExtensions(plain, 2, [[5, new Uint8Array(295).with(262, allowed)]]);
      const accounts = new Map([
        [MINT, mint],
        [destination, accountOf(TOKEN_2022_PROGRAM, data)],
      ]);
      return found(explainInstructions([transfer], { accounts }));
    };
    expect(explainPaying(0)).toEqual(['note TOKEN_ACCOUNT_CONFIDENTIAL_ONLY']);
    expect(explainPaying(1)).toEqual([]);
  });

  it('is a caution with an unknown extension, and nothing without any', () => {
    expect(found(explain([77, Uint8Array.of(1)]))).toEqual(['caution MINT_EXTENSION_UNKNOWN']);
    expect(found(explain())).toEqual([]);
    expect(found(explain([1, feeConfig(fee(0n, 0n, 0), fee(0n, 0n, 0))]))).toEqual([]);
  });

  it('is a note if it could not be read', () => {
    expect(found(explainInstructions([transfer]))).toEqual(['note MINT_UNREAD']);
  });

  it('has no such finding for SPL Token', () => {
    const accounts = new Map([[MINT, accountOf(TOKEN_PROGRAM, mapMintData(3))]]);
    const plain = { ...transfer, programId: TOKEN_PROGRAM };
    expect(found(explainInstructions([plain], { accounts }))).toEqual([]);
  });
});
