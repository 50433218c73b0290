import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, readBudgetRequest } from '../../programs/compute-budget.ts';
import { type Account, type Rent, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE, signaturesVerifiedBy } from '../../solana/signature-fee.ts';
import { isHeapSize, type Transaction, type TransactionConfig } from '../../solana/transaction.ts';
import type { Engine, EngineRun } from '../engine/engine.ts';
import type { TransactionError } from '../transaction-errors.ts';
import { GONE } from './account-states.ts';
import { isInitializedNonce, NONCE_BYTES } from './nonce.ts';

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** Maximum lamports of an account (u64). */
export const LAMPORTS_MAX = 0xffff_ffff_ffff_ffffn;

/**
 * Returns the fee for a transaction, in lamports (Agave `solana-fee` `calculate_fee`). It pays for the
 * transaction's signatures, those that its precompiles verify, and its priority.
 */
export function transactionFee(transaction: Transaction, budget: ComputeBudget): bigint {
  const signatures = BigInt(transaction.requiredSignatures + precompileSignatures(transaction));
  return atMostU64(signatures * LAMPORTS_PER_SIGNATURE + budget.priorityFee);
}

/**
 * Returns the price that a transaction pays per compute unit, in micro-lamports: its priority fee in whole
 * lamports divided by the limit. Rounding can make it exceed the offered price. The price is 0 if the
 * transaction requests no units (Agave `PrioritizationFeeCache::update`).
 */
export function chargedUnitPrice(budget: ComputeBudget): bigint {
  if (budget.unitLimit === 0) return 0n;
  return atMostU64((budget.priorityFee * MICRO_LAMPORTS_PER_LAMPORT) / BigInt(budget.unitLimit));
}

/** Returns the price for a whole compute unit limit, lamports, rounded up. */
function priorityFeeOf(unitPrice: bigint, unitLimit: number): bigint {
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

/** The part of a transaction's budget that its fee depends on. */
export interface ComputeBudget {
  /** Maximum compute units. */
  readonly unitLimit: number;
  /** Lamports paid in addition to the fee for signatures. */
  readonly priorityFee: bigint;
}

const { requestHeap, setComputeUnitLimit, setComputeUnitPrice, setLoadedAccountsDataSizeLimit } =
  COMPUTE_BUDGET_TABLE;

/**
 * Agave `MAX_COMPUTE_UNIT_LIMIT`, `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`,
 * `MAX_BUILTIN_ALLOCATION_COMPUTE_UNIT_LIMIT`.
 */
const UNIT_LIMIT_MAX = 1_400_000;
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000;

/** Native programs whose instructions have a lower default limit (`agave-builtins-default-costs`). */
const BUILTIN_PROGRAMS: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  'ComputeBudget111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
]);

/**
 * Reads the compute budget of a transaction from its instructions (Agave `ComputeBudgetInstructionDetails`),
 * or for version 1 from its config (SIMD-0385). Returns the error of invalid instructions, which reject the
 * transaction before it is charged.
 */
export function readComputeBudget(
  transaction: Transaction,
): ComputeBudget | { readonly err: TransactionError } {
  if (transaction.config !== null) return budgetOfConfig(transaction.config);
  const requests = new Map<number, { index: number; value: bigint }>();
  let defaultLimit = 0;
  for (const [index, instruction] of transaction.instructions.entries()) {
    const program = transaction.staticKeys[instruction.programIdIndex] as Address;
    defaultLimit += BUILTIN_PROGRAMS.has(program) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION;
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    const request = readBudgetRequest(instruction.data);
    if (request === null) return invalidInstruction(index);
    if (requests.has(request.tag)) return { err: { DuplicateInstruction: index } };
    requests.set(request.tag, { index, value: request.value });
  }
  const heap = requests.get(requestHeap.tag);
  if (heap !== undefined && !isHeapSize(Number(heap.value))) return invalidInstruction(heap.index);
  if (requests.get(setLoadedAccountsDataSizeLimit.tag)?.value === 0n)
    return { err: 'InvalidLoadedAccountsDataSizeLimit' };
  const requested = Number(requests.get(setComputeUnitLimit.tag)?.value ?? defaultLimit);
  const unitLimit = Math.min(requested, UNIT_LIMIT_MAX);
  const unitPrice = requests.get(setComputeUnitPrice.tag)?.value ?? 0n;
  return { unitLimit, priorityFee: priorityFeeOf(unitPrice, unitLimit) };
}

const budgetOfConfig = ({ computeUnitLimit, priorityFee }: TransactionConfig): ComputeBudget => ({
  unitLimit: Math.min(computeUnitLimit ?? 0, UNIT_LIMIT_MAX),
  priorityFee: priorityFee ?? 0n,
});

function invalidInstruction(index: number): { readonly err: TransactionError } {
  return { err: { InstructionError: [index, 'InvalidInstructionData'] } };
}

/**
 * Returns the error if an account cannot pay `fee` lamports on a ledger with this rent; null if it can (Agave
 * `validate_fee_payer`). A transaction that fails here is not charged and does not land.
 */
export function feePayerFault(payer: Account | undefined, fee: bigint, rent: Rent): TransactionError | null {
  if (payer === undefined) return 'AccountNotFound';
  const isNonce = payer.data.length === NONCE_BYTES && isInitializedNonce(payer.data);
  if (payer.owner !== SYSTEM_PROGRAM || (payer.data.length > 0 && !isNonce)) return 'InvalidAccountForFee';
  // Only a lent fee can exceed u64, and the engine cannot represent such an account.
  if (payer.lamports > LAMPORTS_MAX) return 'InsufficientFundsForFee';
  const reserve = isNonce ? rent.minimum(NONCE_BYTES) : 0n;
  if (payer.lamports < reserve + fee) return 'InsufficientFundsForFee';
  const left = payer.lamports - fee;
  // An account may be emptied but must not end below its rent-exempt minimum (Agave
  // `RentState::transition_allowed`).
  const minimum = rent.minimum(payer.data.length);
  const comesBelow = payer.lamports >= minimum && left > 0n && left < minimum;
  return comesBelow ? { InsufficientFundsForRent: { account_index: 0 } } : null;
}

/**
 * Adds the fee to the payer's lamports. Programs then see its real balance, because the engine charges the
 * fee first. An absent payer is an empty wallet.
 */
export function lendFee(payer: Account | undefined, fee: bigint): Account {
  if (payer === undefined)
    return { ...GONE, owner: SYSTEM_PROGRAM, lamports: fee, rentEpoch: RENT_EXEMPT_EPOCH };
  return { ...payer, lamports: payer.lamports + fee };
}

/**
 * Runs a transaction without a fee on an engine that always charges one. The payer has the lent fee inside
 * the engine during the run, which is synchronous, so nothing else sees it.
 */
export function runForFree(
  engine: Engine,
  transaction: Transaction,
  blockhash: Uint8Array,
  addresses: readonly Address[],
  payer: { readonly address: Address; readonly account: Account | undefined; readonly lent: Account },
): EngineRun {
  engine.setAccount(payer.address, payer.lent);
  try {
    return engine.run(transaction, blockhash, addresses);
  } finally {
    // Runs even after an exception, because the engine must not keep the lent lamports.
    engine.setAccount(payer.address, payer.account ?? GONE);
  }
}
