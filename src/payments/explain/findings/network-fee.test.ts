import { describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM } from '../../../programs/addresses.ts';
import { concat, u32, u64, u8 } from '../../../programs/instruction-data.ts';
import { transferLamports } from '../../../programs/system.ts';
import type { Address } from '../../../solana/address.ts';
import { type Instruction, readonly } from '../../../solana/instruction.ts';
import { accountsOf, callsOf } from '../call.ts';
import { explainInstructions, found, OWNER, THIEF, transactionOf } from '../testing/explain-instructions.ts';
import { networkFeeMax } from './cost-findings.ts';

const budget = (...fields: Uint8Array[]): Instruction => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat(...fields),
});
const gift = transferLamports(OWNER, THIEF, 1n);

function feeOf(...instructions: Instruction[]): bigint {
  const transaction = transactionOf(...instructions);
  return networkFeeMax(transaction, callsOf(transaction, accountsOf(transaction, new Map())));
}

describe('the network fee', () => {
  const PRICE = u64(1_000_000_000_000n);

  it('counts a price and a limit with trailing bytes, which the runtime accepts', () => {
    const plain = feeOf(budget(u8(3), PRICE), budget(u8(2), u32(7_000)), gift);
    expect(feeOf(budget(u8(3), PRICE, u8(0)), budget(u8(2), u32(7_000), u8(9)), gift)).toBe(plain);
    expect(plain).toBe(7_000n * 1_000_000n + 5_000n);
  });

  it('counts a price that names accounts', () => {
    const named = { ...budget(u8(3), PRICE), accounts: [readonly(OWNER)] };
    expect(feeOf(named, gift)).toBe(feeOf(budget(u8(3), PRICE), gift));
  });

  it('is a danger through a price with an extra byte, which is not a known instruction either', () => {
    expect(found(explainInstructions([budget(u8(3), PRICE, u8(0)), gift]))).toEqual([
      'danger UNKNOWN_INSTRUCTION',
      'danger HIGH_NETWORK_FEE',
    ]);
  });

  it('uses the larger of two instructions of one kind, which the runtime rejects', () => {
    const [low, high] = [budget(u8(3), u64(1n)), budget(u8(3), PRICE)];
    expect(feeOf(low, high, gift)).toBe(feeOf(high, low, gift));
    expect(feeOf(high, low, gift)).toBeGreaterThan(200_000_000_000n);
    const [little, much] = [budget(u8(2), u32(1)), budget(u8(2), u32(7_000))];
    expect(feeOf(high, much, little)).toBe(feeOf(high, little, much));
  });

  it('counts the units of the compute budget instructions themselves', () => {
    expect(feeOf(budget(u8(3), PRICE))).toBe(3_000n * 1_000_000n + 5_000n);
  });

  it('ignores a price that is too short', () => {
    expect(feeOf(budget(u8(3), PRICE.subarray(0, 7)), gift)).toBe(5_000n);
  });

  it('counts the signatures that precompiles verify (bug: it reported 5,000 for 81,605,000 paid)', () => {
    const programId = 'Ed25519SigVerify111111111111111111111111111' as Address;
    const verify = { programId, accounts: [], data: u8(255) };
    expect(feeOf(gift, ...Array.from({ length: 8 }, () => verify))).toBe(8n * 255n * 5_000n + 5_000n);
  });
});
