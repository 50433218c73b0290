import { describe, expect, it } from 'vitest';
import {
  describeTransactionError,
  INSTRUCTION_ERROR_NAMES,
  TRANSACTION_ERROR_NAMES,
  type TransactionError,
} from './transaction-errors.ts';

describe('describeTransactionError', () => {
  it.each<[TransactionError, string]>([
    ['BlockhashNotFound', 'Blockhash not found'],
    ['AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'],
    [{ InstructionError: [0, { Custom: 1 }] }, 'Error processing Instruction 0: custom program error: 0x1'],
    [
      { InstructionError: [3, { Custom: 0xffff_ffff }] },
      'Error processing Instruction 3: custom program error: 0xffffffff',
    ],
    [
      { InstructionError: [2, 'InvalidAccountData'] },
      'Error processing Instruction 2: invalid account data for instruction',
    ],
    [{ DuplicateInstruction: 4 }, 'Transaction contains a duplicate instruction (4) that is not allowed'],
    [
      { InsufficientFundsForRent: { account_index: 1 } },
      'Transaction results in an account (1) with insufficient funds for rent',
    ],
    [
      { ProgramExecutionTemporarilyRestricted: { account_index: 6 } },
      'Execution of the program referenced by account at index 6 is temporarily restricted.',
    ],
  ])('describes %j like Agave', (error, text) => {
    expect(describeTransactionError(error)).toBe(text);
  });

  it('has a sentence for every error', () => {
    for (const name of TRANSACTION_ERROR_NAMES) expect(describeTransactionError(name)).not.toBe('');
    for (const name of INSTRUCTION_ERROR_NAMES) {
      expect(describeTransactionError({ InstructionError: [0, name] })).toMatch(
        /^Error processing Instruction 0: ./,
      );
    }
  });

  it('returns an unknown name unchanged', () => {
    expect(() => describeTransactionError('NoSuchError')).toThrow('NoSuchError');
  });
});
