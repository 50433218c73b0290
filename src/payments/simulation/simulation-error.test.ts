import { describe, expect, it } from 'vitest';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { describeSimulationError } from './simulation-error.ts';

const custom = (code: number) => ({ InstructionError: [0, { Custom: code }] });

function describeOn(program: Address, err: unknown, layout: 'a' | 'b' = 'b', logs: string[] = []) {
  return describeSimulationError({ err, logs, layout, programs: [program] });
}

describe('describeSimulationError', () => {
  it.each([
    [SYSTEM_PROGRAM, 'a', 0, 'an account to be created already exists'],
    [SYSTEM_PROGRAM, 'b', 1, 'there are too few lamports'],
    [TOKEN_PROGRAM, 'b', 1, 'there are too few tokens'],
    [TOKEN_PROGRAM, 'b', 17, 'the token account is frozen'],
    [EPHEMERAL_TOKEN_PROGRAM, 'a', 1, 'the account is already in use'],
    [EPHEMERAL_TOKEN_PROGRAM, 'b', 1, 'the program does not know the instruction'],
    [EPHEMERAL_TOKEN_PROGRAM, 'b', 7, 'the eATA is delegated to another validator'],
    [DELEGATION_PROGRAM, 'b', 12, 'the commit is not the next one'],
    [EPHEMERAL_TOKEN_PROGRAM, 'a', 7, 'the program returned error 7'],
  ] as const)('reads the code of %s on layout %s: %i', (program, layout, code, words) => {
    expect(describeOn(program, custom(code), layout)).toEqual({
      name: 'Custom',
      message: `Instruction 0 fails: ${words}.`,
      instruction: 0,
      code,
      program,
    });
  });

  it('reads the code of the innermost program, which the runtime logs as failed first', () => {
    const logs = [
      `Program ${EPHEMERAL_TOKEN_PROGRAM} invoke [1]`,
      `Program ${TOKEN_PROGRAM} invoke [2]`,
      'Program log: Error: insufficient funds',
      `Program ${TOKEN_PROGRAM} failed: custom program error: 0x1`,
      `Program ${EPHEMERAL_TOKEN_PROGRAM} failed: custom program error: 0x1`,
    ];
    const error = describeOn(EPHEMERAL_TOKEN_PROGRAM, custom(1), 'b', logs);
    expect(error).toMatchObject({
      program: TOKEN_PROGRAM,
      message: expect.stringContaining('too few tokens'),
    });
  });

  it.each([
    ['BlockhashNotFound', 'The blockhash is unknown or too old: build the transaction again.'],
    ['AccountNotFound', 'The fee payer does not exist on this ledger: it has no lamports.'],
    [
      { InsufficientFundsForRent: { account_index: 2 } },
      'An account would be left with fewer lamports than its rent.',
    ],
    // No message explained what to do about a payment without a deposit.
    ['InvalidWritableAccount', expect.stringMatching(/on a rollup .* deposit first\.$/)],
    ['SomethingNew', 'The ledger returned SomethingNew.'],
    [{ SomethingNew: 4 }, 'The ledger returned SomethingNew.'],
    [{}, 'The ledger returned Unknown.'],
    [null, 'The ledger returned Unknown.'],
  ])('describes %j', (err, message) => {
    expect(describeOn(SYSTEM_PROGRAM, err).message).toEqual(message);
  });

  it.each([
    [
      'IllegalOwner',
      'Instruction 0 fails: an account belongs to another program: it may still be delegated.',
    ],
    ['SomethingNew', 'Instruction 0 fails: the ledger returned SomethingNew.'],
  ])('describes the instruction error %s', (name, message) => {
    expect(describeOn(SYSTEM_PROGRAM, { InstructionError: [0, name] })).toMatchObject({ name, message });
  });
});
