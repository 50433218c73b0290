import { MAGIC_PROGRAM } from '../addresses.ts';
import { writable, writableSigner } from '../instruction-table/account-spec.ts';
import { instructionTable, type ProgramSpec } from '../instruction-table/instruction-spec.ts';

export const MAGIC: ProgramSpec = { address: MAGIC_PROGRAM, name: 'Magic program', tagBytes: 4 };

const accounts = [writableSigner('payer'), writable('magicContext')] as const;

/** Instructions of a rollup's Magic program (`MagicBlockInstruction`) that users send. */
export const MAGIC_TABLE = instructionTable(MAGIC, {
  scheduleCommit: { tag: 1, accounts, more: 'account' },
  scheduleCommitAndUndelegate: { tag: 2, accounts, more: 'account' },
});
