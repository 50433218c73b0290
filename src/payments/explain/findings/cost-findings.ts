import { COMPUTE_BUDGET_PROGRAM } from '../../../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, readBudgetRequest } from '../../../programs/compute-budget.ts';
import { LOCAL_RENT, type Rent } from '../../../solana/account.ts';
import { LAMPORTS_PER_SIGNATURE, signaturesVerifiedBy } from '../../../solana/signature-fee.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { describeLamports } from '../address-book.ts';
import { type Call, type Context, type CreationEffect, sumOf } from '../call.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import { danger, type Finding } from '../finding.ts';
import { usualQueueLamports } from '../programs/ephemeral-token.ts';
import { CREATING, type Reading } from '../reading.ts';

/**
 * Default compute units for an instruction of a native program, including the compute budget program (Agave
 * `MAX_BUILTIN_ALLOCATION_COMPUTE_UNIT_LIMIT`).
 */
const UNITS_PER_BUILTIN = 3_000n;

/**
 * Default compute units for an instruction, and maximum for a transaction (Agave
 * `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`, `MAX_COMPUTE_UNIT_LIMIT`).
 */
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_MAX = 1_400_000n;

const MICRO = 1_000_000n;

/**
 * Computes the maximum network fee on base, in lamports: signatures, including those that precompiles verify,
 * and priority fee. Transfers made by its instructions are extra.
 */
export function networkFeeMax(
  { requiredSignatures, config }: Pick<Transaction, 'requiredSignatures' | 'config'>,
  calls: readonly Call[],
): bigint {
  const priority = config === null ? priorityFeeMax(calls) : (config.priorityFee ?? 0n);
  const verified = calls.reduce((sum, { program, data }) => sum + signaturesVerifiedBy(program, data), 0);
  return BigInt(requiredSignatures + verified) * LAMPORTS_PER_SIGNATURE + priority;
}

/**
 * Computes the maximum priority fee, in lamports. Agave accepts compute budget instructions with any trailing
 * data and any accounts (Borsh `try_from_slice_unchecked`). It rejects two instructions of one kind; this
 * function uses the larger value.
 */
function priorityFeeMax(calls: readonly Call[]): bigint {
  let [price, budgets] = [0n, 0n];
  let limit: bigint | null = null;
  for (const { program, data } of calls) {
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    budgets++;
    const { tag, value = 0n } = readBudgetRequest(data) ?? {};
    if (tag === COMPUTE_BUDGET_TABLE.setComputeUnitLimit.tag) limit = greater(limit ?? 0n, value);
    if (tag === COMPUTE_BUDGET_TABLE.setComputeUnitPrice.tag) price = greater(price, value);
  }
  const unset = budgets * UNITS_PER_BUILTIN + (BigInt(calls.length) - budgets) * UNITS_PER_INSTRUCTION;
  const units = lesser(limit ?? unset, UNITS_MAX);
  return (price * units + MICRO - 1n) / MICRO;
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Minimum fee that is reported as a danger, in lamports: two thousand times the price of a signature. */
const HIGH_FEE_LAMPORTS = 10_000_000n;

/** Reports high network fees. A priority fee can drain a wallet like any transfer. */
export function feeFindings(fee: bigint): Finding[] {
  if (fee < HIGH_FEE_LAMPORTS) return [];
  const message = `The network takes up to ${describeLamports(fee)} from the fee payer, for signatures and priority.`;
  return [danger('HIGH_NETWORK_FEE', message)];
}

/**
 * Minimum rent for new accounts that is reported as a danger, in lamports. The most expensive payment, a
 * first private deposit, creates accounts for 10 million. Setting up a mint creates accounts for 24 million
 * plus its transfer queue.
 */
const HIGH_RENT_LAMPORTS = 50_000_000n;

/** Minimum excess over a new account's rent that is reported as a danger, in lamports. */
const HIGH_EXCESS_LAMPORTS = 10_000_000n;

/** Reports high rent. Creating accounts can drain a wallet like any transfer. */
export function rentFindings(
  { calls, effects }: Pick<ExplainedCalls, 'calls' | 'effects'>,
  { accounts, rent: known }: Pick<Context, 'accounts' | 'rent'>,
): Finding[] {
  // Without a chain, no rent is shown, but a test validator's rent is used to detect extreme amounts.
  const cluster = known ?? LOCAL_RENT;
  const missing = effects.creations.filter(({ address }) => !accounts.get(address));
  const direct = calls.flatMap(({ reading }) => directCreation(reading, cluster) ?? []);
  const queue = missing.find(({ what }) => what === 'transfer queue');
  const rent = sumOf([
    ...missing.map((creation) => rentBeyond(creation, queue, cluster)),
    ...direct.map((creation) => creation.rent),
  ]);
  const excess = sumOf(direct.map((creation) => creation.excess));
  const findings: Finding[] = [];
  if (rent >= HIGH_RENT_LAMPORTS) {
    const all = rent + (queue === undefined ? 0n : usualRent(queue, cluster));
    const message = `The accounts that it creates cost their payers up to ${describeLamports(all)}.`;
    findings.push(danger('HIGH_RENT', message));
  }
  if (excess >= HIGH_EXCESS_LAMPORTS) {
    const message = `It puts ${describeLamports(excess)} more into created accounts than their rent, and the payer does not own these accounts.`;
    findings.push(danger('EXCESS_LAMPORTS', message));
  }
  return findings;
}

/** Returns the rent of a creation, without the usual rent of the one queue that a mint's setup creates. */
const rentBeyond = (creation: CreationEffect, queue: CreationEffect | undefined, cluster: Rent): bigint =>
  (creation.lamports ?? 0n) - (creation === queue ? usualRent(creation, cluster) : 0n);

const usualRent = ({ lamports }: CreationEffect, cluster: Rent): bigint => {
  const usual = usualQueueLamports(cluster);
  return lesser(lamports ?? usual, usual);
};

/** Returns rent and excess for an account that the system program creates; no excess for the payer's own. */
function directCreation(
  reading: Reading | null,
  cluster: Rent,
): { readonly rent: bigint; readonly excess: bigint } | null {
  const created = reading?.creationOf('account') ?? null;
  if (reading === null || created === null || !CREATING.has(reading.action)) return null;
  const lamports = reading.amount('lamports');
  const rent = lesser(lamports, cluster.minimum(reading.amount('space')));
  const isOwn = created.holder !== null && created.holder === created.payer;
  return { rent, excess: isOwn ? 0n : lamports - rent };
}
