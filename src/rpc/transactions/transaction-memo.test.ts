import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../programs/addresses.ts';
import { addMemo } from '../../programs/memo.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { addressFilledWith, legacyWire } from '../testing/transactions.ts';
import { describeMemos } from './show-transaction.ts';

const memosOf = (...instructions: Instruction[]): string | null =>
  describeMemos({ wire: legacyWire(addressFilledWith(1), instructions) });

const toMemo = (programId: Instruction['programId'], ...data: number[]): Instruction => ({
  programId,
  accounts: [],
  data: Uint8Array.from(data),
});

describe('describeMemos()', () => {
  it('shows every memo with its length in bytes', () => {
    expect(memosOf(addMemo('Test memo'), toMemo(MEMO_PROGRAM_V1, 0xf0, 0x9f, 0xa6, 0x96))).toBe(
      '[9] Test memo; [4] 🦖',
    );
    expect(memosOf(addMemo(''))).toBe('[0] ');
  });

  it('keeps a byte order mark, which is part of the text', () => {
    expect(memosOf(toMemo(MEMO_PROGRAM, 0xef, 0xbb, 0xbf, 0x61))).toBe('[4] \ufeffa');
  });

  it('reports a memo that is not text', () => {
    expect(memosOf(toMemo(MEMO_PROGRAM, 0xff, 0xfe))).toBe('[2] (unparseable)');
  });

  it('is null without a memo, even if the program is named', () => {
    const names: Instruction = {
      programId: addressFilledWith(9),
      accounts: [{ address: MEMO_PROGRAM, signer: false, writable: false }],
      data: new Uint8Array(0),
    };
    expect(memosOf()).toBeNull();
    expect(memosOf(names)).toBeNull();
  });
});
