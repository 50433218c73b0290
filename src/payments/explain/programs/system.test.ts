import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { concat, u32, u64, u8 } from '../../../programs/instruction-data.ts';
import { transferLamports } from '../../../programs/system.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from '../../../solana/instruction.ts';
import {
  accountOf,
  explainInstructions,
  found,
  key,
  OWNER,
  THIEF,
  words,
} from '../testing/explain-instructions.ts';

const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address;
const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111' as Address;
const FRESH = key(21);
const DANGER = 'danger DANGEROUS_INSTRUCTION';

const system = (tag: number, accounts: AccountMeta[], ...fields: Uint8Array[]): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts,
  data: concat(u32(tag), ...fields),
});
const seed = concat(u64(4n), new TextEncoder().encode('seed'));

const create = (lamports: bigint, space: bigint, program: Address, account = FRESH): Instruction =>
  system(
    0,
    [writableSigner(OWNER), writableSigner(account)],
    u64(lamports),
    u64(space),
    addressBytes(program),
  );
const createSeeded = (lamports: bigint, space: bigint, program: Address): Instruction =>
  system(
    3,
    [writableSigner(OWNER), writable(FRESH)],
    addressBytes(OWNER),
    seed,
    u64(lamports),
    u64(space),
    addressBytes(program),
  );
const allocate = (account: Address): Instruction => system(8, [writableSigner(account)], u64(1n));
const assign = (account: Address, program: Address): Instruction =>
  system(1, [writableSigner(account)], addressBytes(program));
const initializeNonce = (authority: Address): Instruction =>
  system(6, [writable(FRESH), readonly(RECENT_BLOCKHASHES), readonly(RENT_SYSVAR)], addressBytes(authority));
const initializeAccount = (tag: 16 | 18, owner: Address): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts: [writable(FRESH), readonly(USDC_MINT), ...(tag === 16 ? [readonly(RENT_SYSVAR)] : [])],
  data: concat(u8(tag), addressBytes(owner)),
});

describe('a wallet that can never pay again', () => {
  it.each<[string, Instruction, RegExp]>([
    ['gets data', allocate(OWNER), /could never pay again/],
    ['is assigned to a program', assign(OWNER, THIEF), /could never pay again/],
    ['is assigned to a known program', assign(OWNER, TOKEN_PROGRAM), /would belong to program Token/],
    [
      'gets data by seed',
      system(9, [writable(key(3)), signer(OWNER)], addressBytes(OWNER), seed, u64(1n), addressBytes(THIEF)),
      /locked forever/,
    ],
    [
      'is assigned to a program by seed',
      system(10, [writable(key(3)), signer(OWNER)], addressBytes(OWNER), seed, addressBytes(THIEF)),
      /could never pay again/,
    ],
  ])('is a danger if it %s', (_, instruction, why) => {
    const explained = explainInstructions([instruction]);
    expect(found(explained)).toEqual([DANGER]);
    expect(words(explained)).toMatch(why);
  });

  it('is a danger if it is emptied and then created again with data', () => {
    const emptied = transferLamports(OWNER, key(4), 5n);
    expect(found(explainInstructions([emptied, create(0n, 1n, THIEF, OWNER)]))).toEqual([DANGER]);
    expect(words(explainInstructions([emptied, create(0n, 0n, SYSTEM_PROGRAM, OWNER)]))).toMatch(
      /it may not be new/,
    );
  });
});

describe('paying for an account', () => {
  it.each<[string, Instruction[], RegExp]>([
    ['of an unknown program', [create(5_000n, 0n, THIEF)], /what it does with them is unknown/],
    ['of an unknown program by seed', [createSeeded(5_000n, 0n, THIEF)], /what it does with them is unknown/],
    [
      'that becomes a token account of someone else',
      [create(2_039_280n, 165n, TOKEN_PROGRAM), initializeAccount(18, THIEF)],
      new RegExp(`${THIEF} would own it`),
    ],
    [
      'that becomes a token account of someone else by the older instruction',
      [create(2_039_280n, 165n, TOKEN_PROGRAM), initializeAccount(16, THIEF)],
      new RegExp(`${THIEF} would own it`),
    ],
    [
      'that anyone may still initialize as their own token account',
      [create(2_039_280n, 165n, TOKEN_PROGRAM)],
      /anyone can initialize it first/,
    ],
    ['with data that no program uses', [create(5_000n, 9n, SYSTEM_PROGRAM)], /can never pay/],
    [
      "that becomes someone else's nonce",
      [create(1_447_680n, 80n, SYSTEM_PROGRAM), initializeNonce(THIEF)],
      new RegExp(`${THIEF} would (have it|control)`),
    ],
  ])('is a danger for one %s', (_, instructions, why) => {
    const explained = explainInstructions(instructions);
    expect(found(explained)).toContain(DANGER);
    expect(words(explained)).toMatch(why);
  });

  it.each<[string, Instruction[]]>([
    ["one's own token account", [create(2_039_280n, 165n, TOKEN_PROGRAM), initializeAccount(18, OWNER)]],
    [
      "one's own token account by seed",
      [createSeeded(2_039_280n, 165n, TOKEN_PROGRAM), initializeAccount(16, OWNER)],
    ],
    ["one's own nonce", [create(1_447_680n, 80n, SYSTEM_PROGRAM), initializeNonce(OWNER)]],
    [
      "one's own token account in several steps",
      [
        create(2_039_280n, 0n, SYSTEM_PROGRAM),
        allocate(FRESH),
        assign(FRESH, TOKEN_PROGRAM),
        initializeAccount(18, OWNER),
      ],
    ],
  ])('is no danger for %s', (_, instructions) => {
    expect(found(explainInstructions(instructions))).toEqual([]);
  });

  it('counts the lamports of a created account, whichever way it is created', () => {
    for (const instruction of [
      create(5_000n, 0n, SYSTEM_PROGRAM),
      createSeeded(5_000n, 0n, SYSTEM_PROGRAM),
    ]) {
      expect(explainInstructions([instruction]).effects.lamports).toEqual([
        { address: OWNER, change: -5_000n },
        { address: FRESH, change: 5_000n },
      ]);
    }
  });

  it('reports the owner that the transaction sets, whatever the chain has at the address', () => {
    const transfer: Instruction = {
      programId: TOKEN_PROGRAM,
      accounts: [writable(key(5)), writable(FRESH), signer(OWNER)],
      data: concat(u8(3), u64(7n)),
    };
    const { effects } = explainInstructions([
      create(2_039_280n, 165n, TOKEN_PROGRAM),
      initializeAccount(18, THIEF),
      transfer,
    ]);
    expect(effects.tokens.find(({ account }) => account === FRESH)).toMatchObject({
      owner: THIEF,
      mint: USDC_MINT,
      change: 7n,
    });
  });
});

describe('lamports of an account derived from a seed', () => {
  it('are shown as leaving it', () => {
    const { effects, calls } = explainInstructions([
      system(
        11,
        [writable(key(3)), signer(OWNER), writable(THIEF)],
        u64(9n),
        seed,
        addressBytes(SYSTEM_PROGRAM),
      ),
    ]);
    expect(effects.lamports).toEqual([
      { address: key(3), change: -9n },
      { address: THIEF, change: 9n },
    ]);
    expect(calls[0]?.text).toContain(`derived from ${OWNER}`);
  });
});

describe('a nonce account', () => {
  const withdraw = (lamports: bigint, destination: Address): Instruction =>
    system(
      5,
      [
        writable(key(4)),
        writable(destination),
        readonly(RECENT_BLOCKHASHES),
        readonly(RENT_SYSVAR),
        signer(OWNER),
      ],
      u64(lamports),
    );
  const accounts = new Map([[key(4), accountOf(SYSTEM_PROGRAM, new Uint8Array(80), 1_500_000n)]]);

  it('that pays someone else is a danger, and its lamports are counted', () => {
    const explained = explainInstructions([withdraw(1_500_000n, THIEF)], { accounts });
    expect(found(explained)).toEqual([DANGER]);
    expect(words(explained)).toContain('which closes it, and pays them to');
    expect(explained.effects.lamports).toContainEqual({ address: THIEF, change: 1_500_000n });
  });

  it('that pays its authority is a caution, which says what is unknown without the chain', () => {
    expect(words(explainInstructions([withdraw(5n, OWNER)], { accounts }))).not.toContain('closes it');
    const unread = explainInstructions([withdraw(1_500_000n, OWNER)]);
    expect(found(unread)).toEqual(['caution NONCE_WITHDRAWN']);
    expect(words(unread)).toContain('closes it if they are all it holds');
  });

  it('is a danger if another wallet takes it over, or if it is created for someone else', () => {
    const authorize = system(7, [writable(key(4)), signer(OWNER)], addressBytes(THIEF));
    expect(found(explainInstructions([authorize]))).toEqual([DANGER]);
    expect(found(explainInstructions([initializeNonce(THIEF)]))).toEqual([DANGER]);
  });

  it('that is upgraded is no danger', () => {
    expect(found(explainInstructions([system(12, [writable(key(4))])]))).toEqual([]);
  });

  it('is a danger with another account in place of a sysvar', () => {
    const advance = (sysvar: Address): Instruction =>
      system(4, [writable(key(4)), readonly(sysvar), signer(OWNER)]);
    expect(found(explainInstructions([advance(RECENT_BLOCKHASHES)]))).toEqual([DANGER]);
    expect(found(explainInstructions([advance(THIEF)]))).toContain('danger WRONG_ACCOUNT');
  });
});
