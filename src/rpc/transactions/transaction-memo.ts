import { isUtf8 } from 'node:buffer';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { MEMO_PROGRAMS } from '../parsed/memo.ts';

const MEMO_KEYS = MEMO_PROGRAMS.map((program) => Buffer.from(addressBytes(program)));

/**
 * The memos of a transaction's own instructions, each with its length in bytes: `[5] hello; [2]
 * (unparseable)`. Null if there are none (Agave `extract_and_fmt_memos`).
 */
export function describeMemos({ wire }: Pick<TransactionRecord, 'wire'>): string | null {
  // A page of history has a thousand transactions, and hardly any of them uses a memo program, so search the
  // bytes before decoding.
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
  if (!MEMO_KEYS.some((key) => bytes.includes(key))) return null;
  const { instructions, staticKeys } = decodeTransaction(wire);
  const memos = instructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(staticKeys[programIdIndex] as Address))
    .map(({ data }) => `[${data.length}] ${isUtf8(data) ? Buffer.from(data).toString() : '(unparseable)'}`);
  return memos.length === 0 ? null : memos.join('; ');
}
