import type { Address } from '../../solana/address.ts';
import { readonly, writable, writableSigner, type Instruction } from '../../solana/instruction.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../addresses.ts';
import { u32 } from '../instruction-data.ts';

/** Instructions of the rollup's Magic program. The first u32 names the instruction. */

/** `ScheduleCommit` (1): asks the validator to bring the accounts' state to base. */
export function scheduleCommit(payer: Address, accounts: readonly Address[]): Instruction {
  return {
    programId: MAGIC_PROGRAM,
    accounts: [writableSigner(payer), writable(MAGIC_CONTEXT), ...accounts.map(readonly)],
    data: u32(1),
  };
}

/**
 * `ScheduleCommitAndUndelegate` (2): asks the validator to bring the accounts' state to base and to give them back.
 * `accountsAre` says how they are named: the MagicBlock SDK has 'writable' in 0.15 and had 'readonly' in 0.8.
 */
export function scheduleCommitAndUndelegate(
  payer: Address,
  accounts: readonly Address[],
  accountsAre: 'writable' | 'readonly',
): Instruction {
  const meta = accountsAre === 'writable' ? writable : readonly;
  return {
    programId: MAGIC_PROGRAM,
    accounts: [writableSigner(payer), writable(MAGIC_CONTEXT), ...accounts.map(meta)],
    data: u32(2),
  };
}
