import { describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { addressOf } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { readComputeBudget } from './fee.ts';

const random = new SeededRandom('compute budget');
const payer = addressOf(random.bytes(32));

function build(...datas: (readonly number[])[]): Transaction {
  const instructions = datas.map((data) => ({
    programId: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: Uint8Array.from(data),
  }));
  const message = compileLegacyMessage({ feePayer: payer, blockhash: new Uint8Array(32), instructions });
  return decodeTransaction(encodeUnsignedTransaction(message));
}

const invalid = (index: number) => ({ err: { InstructionError: [index, 'InvalidInstructionData'] } });

describe('readComputeBudget', () => {
  it.each([
    ['no instructions', [], { unitLimit: 0, priorityFee: 0n }],
    [
      'a limit and a price',
      [
        [2, 0x40, 0x0d, 3, 0],
        [3, 9, 0, 0, 0, 0, 0, 0, 0],
      ],
      { unitLimit: 200_000, priorityFee: 2n },
    ],
    ['a limit with bytes after it', [[2, 1, 0, 0, 0, 99]], { unitLimit: 1, priorityFee: 0n }],
    ['a limit above the maximum', [[2, 255, 255, 255, 255]], { unitLimit: 1_400_000, priorityFee: 0n }],
    ['the smallest heap', [[1, 0, 0x80, 0, 0]], { unitLimit: 3_000, priorityFee: 0n }],
    ['the largest heap', [[1, 0, 0, 4, 0]], { unitLimit: 3_000, priorityFee: 0n }],
    ['a heap below the minimum', [[1, 0, 0x7c, 0, 0]], invalid(0)],
    ['a heap above the maximum', [[1, 0, 4, 4, 0]], invalid(0)],
    [
      'a heap of an invalid size',
      [
        [2, 1, 0, 0, 0],
        [1, 1, 0x80, 0, 0],
      ],
      invalid(1),
    ],
    ['no tag', [[]], invalid(0)],
    ['the unused tag', [[0, 0, 0, 0, 0]], invalid(0)],
    ['an unknown tag', [[5, 0, 0, 0, 0]], invalid(0)],
    ['a truncated limit', [[2, 1, 0, 0]], invalid(0)],
    [
      'the same request twice',
      [
        [2, 1, 0, 0, 0],
        [2, 1, 0, 0, 0],
      ],
      { err: { DuplicateInstruction: 1 } },
    ],
    ['a loaded data limit of 0', [[4, 0, 0, 0, 0]], { err: 'InvalidLoadedAccountsDataSizeLimit' }],
    ['a loaded data limit', [[4, 1, 0, 0, 0]], { unitLimit: 3_000, priorityFee: 0n }],
  ])('reads %s', (_, datas, expected) => {
    expect(readComputeBudget(build(...datas))).toEqual(expected);
  });

  it('rejects what the engine rejects, with the same error', () => {
    const engine = new LiteSvmEngine();
    engine.setAccount(payer, {
      lamports: 1n << 60n,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: RENT_EXEMPT_EPOCH,
    });
    let refused = 0;
    for (let round = 0; round < 2_000; round++) {
      const transaction = build(...Array.from({ length: 1 + random.integer(4) }, randomRequest));
      const budget = readComputeBudget(transaction);
      const { err } = engine.run(transaction, random.bytes(32));
      // A limit of loaded data too small for the payer is charged for, so it is no business of the budget's.
      if (err === 'MaxLoadedAccountsDataSizeExceeded') continue;
      expect('err' in budget ? budget.err : null, JSON.stringify(transaction.instructions)).toEqual(err);
      if (err !== null) refused++;
    }
    expect(refused).toBeGreaterThan(200);
    expect(refused).toBeLessThan(1_900);
  });
});

function randomRequest(): number[] {
  const tag = random.integer(6);
  const amount =
    random.integer(3) === 0 ? 32_768 + 1_024 * random.integer(250) : 300_000 + random.integer(400_000);
  const bytes = [amount & 0xff, (amount >> 8) & 0xff, (amount >> 16) & 0xff, 0, 0, 0, 0, 0];
  return [tag, ...bytes.slice(0, random.integer(12) === 0 ? random.integer(8) : tag === 3 ? 8 : 4)];
}
