import { ASSOCIATED_TOKEN_TABLE } from './associated-token.ts';
import { COMPUTE_BUDGET_TABLE } from './compute-budget.ts';
import { DELEGATION_TABLE } from './delegation/table.ts';
import { EATA_TABLE, EATA_TABLE_A } from './ephemeral-token/table/eata.ts';
import { INTERNAL_TABLE } from './ephemeral-token/table/internal.ts';
import { QUEUE_TABLE, STEALTH_TABLE } from './ephemeral-token/table/queue.ts';
import { EARLY_SHUTTLE_TABLE, SHUTTLE_TABLE } from './ephemeral-token/table/shuttle.ts';
import type { InstructionSpec } from './instruction-table/instruction-spec.ts';
import { LOOKUP_TABLE_TABLE } from './lookup-table.ts';
import { MAGIC_PROGRAM_TABLE, MAGIC_TABLE } from './magic/table.ts';
import { MEMO_TABLE } from './memo.ts';
import { PERMISSION_TABLE } from './permission/table.ts';
import { SYSTEM_TABLE } from './system.ts';
import { TOKEN_TABLE, TRANSFER_FEE_TABLE } from './token/table.ts';

/** Every known instruction of every known program. */
export const ALL_INSTRUCTIONS: readonly InstructionSpec[] = [
  ASSOCIATED_TOKEN_TABLE,
  COMPUTE_BUDGET_TABLE,
  DELEGATION_TABLE,
  EATA_TABLE,
  EATA_TABLE_A,
  QUEUE_TABLE,
  INTERNAL_TABLE,
  EARLY_SHUTTLE_TABLE,
  SHUTTLE_TABLE,
  STEALTH_TABLE,
  LOOKUP_TABLE_TABLE,
  MAGIC_TABLE,
  MAGIC_PROGRAM_TABLE,
  MEMO_TABLE,
  PERMISSION_TABLE,
  SYSTEM_TABLE,
  TOKEN_TABLE,
  TRANSFER_FEE_TABLE,
].flatMap((table) => Object.values<InstructionSpec>(table));
