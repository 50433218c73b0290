import type { Address } from '../../../solana/address.ts';
import { type Instruction, readonly, writable } from '../../../solana/instruction.ts';
import { encode } from '../../instruction-table/encode.ts';
import { MAGIC_TABLE } from '../table.ts';

/** Requests that the validator commit the accounts' state to base. */
export function scheduleCommit(payer: Address, accounts: readonly Address[]): Instruction {
  const call = encode(MAGIC_TABLE.scheduleCommit, { payer });
  return { ...call, accounts: [...call.accounts, ...accounts.map(readonly)] };
}

/**
 * Requests that the validator commit the accounts' state to base and undelegate them.
 *
 * @param accountsAre how the accounts are marked: 'writable' as in the MagicBlock SDK 0.15, 'readonly' as in
 *   0.8.
 */
export function scheduleCommitAndUndelegate(
  payer: Address,
  accounts: readonly Address[],
  accountsAre: 'writable' | 'readonly',
): Instruction {
  const call = encode(MAGIC_TABLE.scheduleCommitAndUndelegate, { payer });
  const named = accounts.map(accountsAre === 'writable' ? writable : readonly);
  return { ...call, accounts: [...call.accounts, ...named] };
}
