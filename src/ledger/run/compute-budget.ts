import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, readBudgetRequest } from '../../programs/compute-budget.ts';
import type { Address } from '../../solana/address.ts';
import { isHeapSize, type Transaction, type TransactionConfig } from '../../solana/transaction.ts';
import type { TransactionError } from '../transaction-error.ts';
import { priorityFeeOf } from './fee.ts';

/** The part of a transaction's budget that its fee depends on. */
export interface ComputeBudget {
  /** Compute units it may use. */
  readonly unitLimit: number;
  /** What it pays besides for its signatures, lamports. */
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
 * Reads the compute budget instructions of a transaction, as Agave's `ComputeBudgetInstructionDetails` does;
 * of version 1 its config, which has their place (SIMD-0385).
 * Invalid instructions reject the transaction before it is charged; the error is then returned.
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
  const asked = Number(requests.get(setComputeUnitLimit.tag)?.value ?? defaultLimit);
  const unitLimit = Math.min(asked, UNIT_LIMIT_MAX);
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
