import { COMPUTE_BUDGET_PROGRAM } from './addresses.ts';
import { u32, u64 } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

export const COMPUTE_BUDGET: ProgramSpec = {
  address: COMPUTE_BUDGET_PROGRAM,
  name: 'compute budget program',
  tagBytes: 1,
};

/** `ComputeBudgetInstruction` of `solana-compute-budget-interface`; tag 0 is no longer in use. */
export const COMPUTE_BUDGET_TABLE = instructionTable(COMPUTE_BUDGET, {
  requestHeap: { tag: 1, accounts: [], fields: { bytes: u32 } },
  setComputeUnitLimit: { tag: 2, accounts: [], fields: { units: u32 } },
  setComputeUnitPrice: { tag: 3, accounts: [], fields: { microLamports: u64 } },
  setLoadedAccountsDataSizeLimit: { tag: 4, accounts: [], fields: { bytes: u32 } },
});
