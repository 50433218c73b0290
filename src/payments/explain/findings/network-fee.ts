import { COMPUTE_BUDGET_PROGRAM } from '../../../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, readBudgetRequest } from '../../../programs/compute-budget.ts';
import { LAMPORTS_PER_SIGNATURE, signaturesVerifiedBy } from '../../../solana/signature-fee.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { describeLamports } from '../address-book.ts';
import type { Call } from '../call.ts';
import type { Finding } from '../finding.ts';

/**
 * Default compute units of a native program's instruction, the compute budget program included (Agave
 * `MAX_BUILTIN_ALLOCATION_COMPUTE_UNIT_LIMIT`).
 */
const UNITS_PER_BUILTIN = 3_000n;

/**
 * Default compute units of an instruction, and the most of a transaction (Agave
 * `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`, `MAX_COMPUTE_UNIT_LIMIT`).
 */
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_MAX = 1_400_000n;

const MICRO = 1_000_000n;

/** The compute budget a transaction sets, as Agave reads it. */
interface ComputeBudget {
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
  /** Compute units; null if not set. */
  readonly limit: bigint | null;
}

/**
 * Agave accepts these instructions with any trailing data and any accounts (Borsh
 * `try_from_slice_unchecked`). It rejects a transaction with two of a kind; here the larger value counts
 * then.
 */
function computeBudgetOf(calls: readonly Call[]): ComputeBudget {
  let price = 0n;
  let limit: bigint | null = null;
  for (const { program, data } of calls) {
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    const { tag, value = 0n } = readBudgetRequest(data) ?? {};
    if (tag === COMPUTE_BUDGET_TABLE.setComputeUnitLimit.tag) limit = greater(limit ?? 0n, value);
    if (tag === COMPUTE_BUDGET_TABLE.setComputeUnitPrice.tag) price = greater(price, value);
  }
  return { price, limit };
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** What the fee of a transaction depends on besides its calls. */
type FeeTerms = Pick<Transaction, 'requiredSignatures' | 'config'>;

/**
 * The most a transaction can cost its fee payer on base besides what its instructions move, lamports:
 * its signatures, those that precompiles verify, and its priority fee.
 */
export function networkFeeMax({ requiredSignatures, config }: FeeTerms, calls: readonly Call[]): bigint {
  const priority = config === null ? priorityFeeMax(calls) : (config.priorityFee ?? 0n);
  const verified = calls.reduce((sum, { program, data }) => sum + signaturesVerifiedBy(program, data), 0);
  return BigInt(requiredSignatures + verified) * LAMPORTS_PER_SIGNATURE + priority;
}

/** That of the compute unit price, if instructions set one. */
function priorityFeeMax(calls: readonly Call[]): bigint {
  const { price, limit } = computeBudgetOf(calls);
  const budgets = BigInt(calls.filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM).length);
  const unset = budgets * UNITS_PER_BUILTIN + (BigInt(calls.length) - budgets) * UNITS_PER_INSTRUCTION;
  const wanted = limit ?? unset;
  const units = wanted > UNITS_MAX ? UNITS_MAX : wanted;
  return (price * units + MICRO - 1n) / MICRO;
}

/** From this fee on it is reported as a danger: two thousand times the price of a signature. */
const HIGH_FEE_LAMPORTS = 10_000_000n;

/** A priority fee can drain a wallet like any transfer. */
export function feeFindings(terms: FeeTerms, calls: readonly Call[]): Finding[] {
  const fee = networkFeeMax(terms, calls);
  if (fee < HIGH_FEE_LAMPORTS) return [];
  const message = `The network takes up to ${describeLamports(fee)} from the fee payer, for signatures and priority.`;
  return [{ level: 'danger', code: 'HIGH_NETWORK_FEE', message }];
}
