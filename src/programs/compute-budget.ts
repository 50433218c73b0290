import type { Instruction } from '../solana/instruction.ts';
import { COMPUTE_BUDGET_PROGRAM } from './addresses.ts';
import { encode } from './instruction-table/encode.ts';
import { readLeadingFields, u32, u64 } from './instruction-table/field-codec.ts';
import {
  type InstructionSpec,
  instructionTable,
  type ProgramSpec,
} from './instruction-table/instruction-spec.ts';

export const COMPUTE_BUDGET: ProgramSpec = {
  address: COMPUTE_BUDGET_PROGRAM,
  name: 'compute budget program',
  tagBytes: 1,
};

/** `ComputeBudgetInstruction` of `solana-compute-budget-interface`. Tag 0 is no longer used. */
export const COMPUTE_BUDGET_TABLE = instructionTable(COMPUTE_BUDGET, {
  requestHeap: { tag: 1, accounts: [], fields: { bytes: u32 } },
  setComputeUnitLimit: { tag: 2, accounts: [], fields: { units: u32 } },
  setComputeUnitPrice: { tag: 3, accounts: [], fields: { microLamports: u64 } },
  setLoadedAccountsDataSizeLimit: { tag: 4, accounts: [], fields: { bytes: u32 } },
});

/** Sets the compute unit limit of a transaction, u32. */
export const setComputeUnitLimit = (units: number): Instruction =>
  encode(COMPUTE_BUDGET_TABLE.setComputeUnitLimit, {}, { units });

const BY_TAG: ReadonlyMap<number | undefined, InstructionSpec> = new Map(
  Object.values<InstructionSpec>(COMPUTE_BUDGET_TABLE).map((spec) => [spec.tag, spec]),
);

interface BudgetRequest {
  readonly tag: number;
  readonly value: bigint;
}

/**
 * Decodes the compute budget request in an instruction's data, or returns null. Like the runtime, it accepts
 * trailing bytes (Borsh `try_from_slice_unchecked`).
 */
export function readBudgetRequest(data: Uint8Array): BudgetRequest | null {
  const spec = BY_TAG.get(data[0]);
  const read = spec && readLeadingFields(spec.fields, data, COMPUTE_BUDGET.tagBytes);
  if (!spec || !read) return null;
  const [value] = read.values.values();
  return { tag: spec.tag, value: BigInt(value as number | bigint) };
}
