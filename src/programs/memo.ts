import type { Instruction } from '../solana/instruction.ts';
import { MEMO_PROGRAM } from './addresses.ts';

/** A note in the transaction: the memo program's only instruction, UTF-8 bytes and no accounts (so nobody signs it). */
export function addMemo(text: string): Instruction {
  return { programId: MEMO_PROGRAM, accounts: [], data: new Uint8Array(Buffer.from(text, 'utf8')) };
}
