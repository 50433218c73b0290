import type { Intent } from '../books/intent.ts';
import type { Commitment } from './settlement-transaction.ts';

/**
 * What each of commit, finalize and undelegate may use, compute units (magicblock-validator 0.14.10,
 * `ArgsTask::compute_units`).
 */
const TASK_UNITS = 70_000;

/**
 * What goes with them, compute units: the instruction that sets the limit (150, Agave
 * `solana-compute-budget-program`), and the memo of 32 characters that makes a transaction unique (287
 * measured; a cluster may have another version of its program).
 */
const EXTRA_UNITS = 10_000;

/**
 * The compute units that the base transaction of an intent may use: as with MagicBlock's committor the sum of
 * what its tasks may, of which programs have named their actions' themselves.
 */
export function unitsOf({ actions }: Pick<Intent, 'actions'>, commitments: readonly Commitment[]): number {
  const tasks = commitments.reduce((sum, { isUndelegation }) => sum + (isUndelegation ? 3 : 2), 0);
  return actions.reduce((sum, { computeUnits }) => sum + computeUnits, tasks * TASK_UNITS + EXTRA_UNITS);
}
