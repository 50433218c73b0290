import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { concat, u32, u64, u8 } from '../../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { type Instruction, readonly, writable, writableSigner } from '../../../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../../../solana/transaction.ts';
import { explainCalls } from '../explain-calls.ts';
import {
  accountOf,
  contextOf,
  explainInstructions,
  found,
  key,
  OWNER,
  words,
} from '../testing/explain-instructions.ts';
import { VECTOR_TRANSACTIONS } from '../testing/vector-transactions.ts';

const FRESH = key(21);

const create = (lamports: bigint, space: bigint, program: Address): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts: [writableSigner(OWNER), writableSigner(FRESH)],
  data: concat(u32(0), u64(lamports), u64(space), addressBytes(program)),
});
const initialize = (owner: Address): Instruction => ({
  programId: TOKEN_PROGRAM,
  accounts: [writable(FRESH), readonly(USDC_MINT)],
  data: concat(u8(18), addressBytes(owner)),
});

/** The vector that makes a transfer queue of 697 items. */
function largeQueue(): Transaction {
  const vector = VECTOR_TRANSACTIONS.find(({ id }) => id === 'b-pub-0078');
  return decodeTransaction(new Uint8Array(Buffer.from(vector?.transactionBase64 ?? '', 'base64')));
}

describe('the rent of created accounts', () => {
  const codes = (accounts = contextOf().accounts): string[] =>
    explainCalls(largeQueue(), contextOf({ accounts })).findings.map(({ code }) => code);

  it('is a danger if a transfer queue is larger than usual, and no danger if it already exists', () => {
    expect(codes()).toContain('HIGH_RENT');
    const queue = explainCalls(largeQueue(), contextOf()).effects.creations[0]?.address as Address;
    expect(codes(new Map([[queue, accountOf(TOKEN_PROGRAM, new Uint8Array())]]))).not.toContain('HIGH_RENT');
  });

  it('is a danger even if no rent was read, and then has no amount (bug: it cost nothing)', () => {
    const { findings, effects } = explainCalls(largeQueue(), contextOf({ rent: null }));
    expect(findings.map(({ code }) => code)).toContain('HIGH_RENT');
    expect(effects.creations.map(({ lamports }) => lamports)).toEqual(effects.creations.map(() => null));
  });

  it('is reported in full', () => {
    const { findings, effects } = explainCalls(largeQueue(), contextOf());
    const rent = effects.creations.reduce((sum, { lamports }) => sum + (lamports ?? 0n), 0n);
    expect(findings.find(({ code }) => code === 'HIGH_RENT')?.message).toContain(`${rent} lamports`);
  });

  it('is a danger if an account is created with more data than any payment needs', () => {
    const explained = explainInstructions([
      create(70_000_000_000n, 10_000_000n, TOKEN_PROGRAM),
      initialize(OWNER),
    ]);
    expect(found(explained)).toEqual(['danger HIGH_RENT']);
  });

  it('is no danger for a few token accounts', () => {
    const atas = [1, 2, 3, 4, 5].map((byte): Instruction => ({
      programId: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
      accounts: [
        writableSigner(OWNER),
        writable(deriveAta(key(byte), USDC_MINT, TOKEN_PROGRAM).address),
        readonly(key(byte)),
        readonly(USDC_MINT),
        readonly(SYSTEM_PROGRAM),
        readonly(TOKEN_PROGRAM),
      ],
      data: u8(1),
    }));
    expect(found(explainInstructions(atas))).toEqual([]);
  });
});

describe('lamports beyond the rent of a created account', () => {
  it('are a danger from 0.01 SOL on', () => {
    const rent = 890_880n;
    expect(found(explainInstructions([create(rent + 9_999_999n, 0n, SYSTEM_PROGRAM)]))).toEqual([]);
    const explained = explainInstructions([create(rent + 10_000_000n, 0n, SYSTEM_PROGRAM)]);
    expect(found(explained)).toEqual(['danger EXCESS_LAMPORTS']);
    expect(words(explained)).toContain('10000000 lamports (0.01 SOL)');
  });

  it("are no danger in the wallet's own token account, where they are wrapped SOL", () => {
    const own = [create(500_000_000n, 165n, TOKEN_PROGRAM), initialize(OWNER)];
    expect(found(explainInstructions(own))).toEqual([]);
  });
});
