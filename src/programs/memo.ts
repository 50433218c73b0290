import type { Instruction } from '../solana/instruction.ts';
import { MEMO_PROGRAM } from './addresses.ts';
import { encode } from './instruction-table/encode.ts';
import { rest } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

export const MEMO: ProgramSpec = { address: MEMO_PROGRAM, name: 'memo program', tagBytes: 0 };

/** The memo program's only instruction: the data is UTF-8 text, the accounts are signers. */
export const MEMO_TABLE = instructionTable(MEMO, {
  memo: { tag: 0, accounts: [], more: 'signer', fields: { text: rest } },
});

/** Adds a memo without signers. */
export const addMemo = (text: string): Instruction =>
  encode(MEMO_TABLE.memo, {}, { text: new Uint8Array(Buffer.from(text, 'utf8')) });
