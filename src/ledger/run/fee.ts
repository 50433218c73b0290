import type { Transaction } from '../../solana/transaction.ts';
import { LAMPORTS_PER_SIGNATURE, signaturesVerifiedBy } from '../../solana/signature-fee.ts';
import type { ComputeBudget } from './compute-budget.ts';

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** The most lamports an account can hold: a u64. */
export const LAMPORTS_MAX = 0xffff_ffff_ffff_ffffn;

/**
 * The fee of a transaction, lamports (Agave `solana-fee` `calculate_fee`): its signatures, those its
 * precompiles verify, and its priority fee.
 */
export function transactionFee(transaction: Transaction, budget: ComputeBudget): bigint {
  const signatures = BigInt(transaction.requiredSignatures + precompileSignatures(transaction));
  return atMostU64(signatures * LAMPORTS_PER_SIGNATURE + budget.priorityFee);
}

/**
 * The price a transaction pays per compute unit, micro-lamports: its priority fee in whole lamports divided
 * by the limit, so it may exceed the offered price. 0 if it requests no units (Agave
 * `PrioritizationFeeCache::update`).
 */
export function chargedUnitPrice(budget: ComputeBudget): bigint {
  if (budget.unitLimit === 0) return 0n;
  return atMostU64((budget.priorityFee * MICRO_LAMPORTS_PER_LAMPORT) / BigInt(budget.unitLimit));
}

/** The price for a whole compute unit limit, lamports, rounded up. */
export function priorityFeeOf(unitPrice: bigint, unitLimit: number): bigint {
  const microLamports = unitPrice * BigInt(unitLimit);
  return atMostU64((microLamports + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT);
}

const atMostU64 = (lamports: bigint): bigint => (lamports < LAMPORTS_MAX ? lamports : LAMPORTS_MAX);

function precompileSignatures({ instructions, staticKeys }: Transaction): number {
  return instructions.reduce(
    (sum, { programIdIndex, data }) => sum + signaturesVerifiedBy(staticKeys[programIdIndex], data),
    0,
  );
}
