import { COMPUTE_BUDGET_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Transaction } from '../../solana/transaction.ts';
import type { TransactionError } from '../transaction-error.ts';

/** What a transaction may use, as far as its fee depends on it. */
export interface ComputeBudget {
  /** Compute units it may use. */
  readonly unitLimit: number;
  /** Micro-lamports offered for each unit of the limit. */
  readonly unitPrice: bigint;
}

/** Tags of `ComputeBudgetInstruction`; tag 0 is no longer in use. */
const REQUEST_HEAP_FRAME = 1;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;
const SET_LOADED_DATA_LIMIT = 4;

/** Bytes of the argument that follows each tag. */
const ARGUMENT_BYTES: Readonly<Record<number, number>> = {
  [REQUEST_HEAP_FRAME]: 4,
  [SET_UNIT_LIMIT]: 4,
  [SET_UNIT_PRICE]: 8,
  [SET_LOADED_DATA_LIMIT]: 4,
};

/**
 * Agave `MAX_COMPUTE_UNIT_LIMIT`, `DEFAULT_INSTRUCTION_COMPUTE_UNIT_LIMIT`,
 * `MAX_BUILTIN_ALLOCATION_COMPUTE_UNIT_LIMIT`.
 */
const UNIT_LIMIT_MAX = 1_400_000;
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000;

/** Agave `MIN_HEAP_FRAME_BYTES`, `MAX_HEAP_FRAME_BYTES`; a frame is a multiple of 1024. */
const HEAP_BYTES_MIN = 32n * 1024n;
const HEAP_BYTES_MAX = 256n * 1024n;

/** Programs of the runtime whose instructions are given less by default (`agave-builtins-default-costs`). */
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
 * Reads the compute budget instructions of a transaction, as Agave's `ComputeBudgetInstructionDetails` does.
 * A transaction whose instructions ask for the impossible is refused before it is charged: the error is
 * returned.
 */
export function readComputeBudget(
  transaction: Transaction,
): ComputeBudget | { readonly err: TransactionError } {
  const requests = new Map<number, { index: number; value: bigint }>();
  let defaultLimit = 0;
  for (const [index, instruction] of transaction.instructions.entries()) {
    const program = transaction.staticKeys[instruction.programIdIndex] as Address;
    defaultLimit += BUILTIN_PROGRAMS.has(program) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION;
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    const value = readArgument(instruction);
    if (value === undefined) return invalidInstruction(index);
    const tag = instruction.data[0] as number;
    if (requests.has(tag)) return { err: { DuplicateInstruction: index } };
    requests.set(tag, { index, value });
  }
  const heap = requests.get(REQUEST_HEAP_FRAME);
  if (heap !== undefined && !isHeapSize(heap.value)) return invalidInstruction(heap.index);
  if (requests.get(SET_LOADED_DATA_LIMIT)?.value === 0n) return { err: 'InvalidLoadedAccountsDataSizeLimit' };
  return {
    unitLimit: Math.min(Number(requests.get(SET_UNIT_LIMIT)?.value ?? defaultLimit), UNIT_LIMIT_MAX),
    unitPrice: requests.get(SET_UNIT_PRICE)?.value ?? 0n,
  };
}

/**
 * The number an instruction carries; undefined when the instruction is none. Bytes after it are tolerated.
 */
function readArgument({ data }: CompiledInstruction): bigint | undefined {
  const bytes = ARGUMENT_BYTES[data[0] ?? 0];
  if (bytes === undefined || data.length < 1 + bytes) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return bytes === 8 ? view.getBigUint64(1, true) : BigInt(view.getUint32(1, true));
}

function isHeapSize(bytes: bigint): boolean {
  return bytes >= HEAP_BYTES_MIN && bytes <= HEAP_BYTES_MAX && bytes % 1024n === 0n;
}

function invalidInstruction(index: number): { readonly err: TransactionError } {
  return { err: { InstructionError: [index, 'InvalidInstructionData'] } };
}
