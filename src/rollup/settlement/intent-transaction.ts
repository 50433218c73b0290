import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { callHandler } from '../../programs/delegation/instructions.ts';
import { deriveEphemeralBalance, deriveValidatorFeesVault } from '../../programs/delegation/pdas.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Intent, IntentAction } from '../books/intent.ts';
import type { IntentPlan } from './intent-plan.ts';
import {
  type Commitment,
  commitmentInstructions,
  type Signing,
  signSettlement,
} from './settlement-transaction.ts';

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
function unitsOf({ actions }: Pick<Intent, 'actions'>, commitments: readonly Commitment[]): number {
  const tasks = commitments.reduce((sum, { isUndelegation }) => sum + (isUndelegation ? 3 : 2), 0);
  return actions.reduce((sum, { computeUnits }) => sum + computeUnits, tasks * TASK_UNITS + EXTRA_UNITS);
}

/**
 * The signed base transaction of an intent: its compute budget, what it commits, then its actions, all or
 * nothing.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function signIntent(intent: Intent, { commitments }: IntentPlan, signing: Signing): Transaction {
  const validator = signing.validator.address;
  const instructions = [
    setComputeUnitLimit(unitsOf(intent, commitments)),
    ...commitments.flatMap((commitment) => commitmentInstructions(commitment, validator)),
    ...intent.actions.map((action) => callOf(action, intent.source, validator)),
  ];
  return signSettlement(instructions, signing);
}

/** Nobody signs for the accounts an action is handed: the delegation program adds the escrow, which does. */
function callOf(action: IntentAction, sourceProgram: Address, validator: Address): Instruction {
  const { program, escrowIndex, escrowAuthority, data, accounts } = action;
  return callHandler(
    {
      validator,
      validatorFeesVault: deriveValidatorFeesVault(validator).address,
      destinationProgram: program,
      sourceProgram,
      escrowAuthority,
      escrow: deriveEphemeralBalance(escrowAuthority, escrowIndex).address,
    },
    {
      escrowIndex,
      data,
      accounts: accounts.map(({ address, isWritable }) => ({ address, signer: false, writable: isWritable })),
    },
  );
}
