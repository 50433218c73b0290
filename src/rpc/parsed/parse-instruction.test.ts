import { describe, expect, it } from 'vitest';
import {
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { showParsedInstruction } from './parse-instruction.ts';

const ONE = addressFilledWith(1);

describe('showParsedInstruction()', () => {
  it('names program, id and depth of what is parsed', () => {
    const instruction = { programIdIndex: 1, accounts: Uint8Array.of(), data: Buffer.from('hello') };
    expect(showParsedInstruction(instruction, [ONE, MEMO_PROGRAM], 2)).toEqual({
      parsed: 'hello',
      program: 'spl-memo',
      programId: MEMO_PROGRAM,
      stackHeight: 2,
    });
  });

  it.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])('calls both token programs spl-token', (program) => {
    const instruction = { programIdIndex: 1, accounts: Uint8Array.of(0), data: Uint8Array.of(17) };
    expect(showParsedInstruction(instruction, [ONE, program], 1)).toMatchObject({
      program: 'spl-token',
      programId: program,
    });
  });

  it.each([COMPUTE_BUDGET_PROGRAM, addressFilledWith(9)])('shows addresses and data for %s', (program) => {
    const instruction = { programIdIndex: 1, accounts: Uint8Array.of(0, 1, 0), data: Uint8Array.of(0, 1) };
    expect(showParsedInstruction(instruction, [ONE, program], 1)).toEqual({
      accounts: [ONE, program, ONE],
      data: '12',
      programId: program,
      stackHeight: 1,
    });
  });
});
