import { deriveEphemeralBalance, deriveValidatorFeesVault } from '../../programs/delegation/pdas.ts';
import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { callHandler } from '../../programs/delegation/instructions-settlement.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Intent, IntentAction } from '../books/intent.ts';
import { unitsOf } from './intent-budget.ts';
import type { IntentPlan } from './intent-plan.ts';
import { commitmentInstructions, signSettlement, type Signing } from './settlement-transaction.ts';

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
